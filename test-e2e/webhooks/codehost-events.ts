import { describe, expect, it } from 'vitest';
import { png } from '../support/png.ts';
import type { TestSuite } from '../support/suite.ts';
import { openHook } from './calls.ts';
import { RENDERED } from './codehost-event-rows.ts';
import { NOTHING } from './codehost-nothing-rows.ts';
import { author, repository, sender } from './codehost-payloads.ts';

export function codehostEvents(suite: TestSuite): void {
  describe('a code-host event', () => {
    it('becomes the one embed of its row, written by the code host', async () => {
      const hook = await openHook(suite, { name: 'Build', avatar: png(2, 6).toString('base64') });
      for (const [event, payload, embed, by] of RENDERED) {
        const what = `${event} ${JSON.stringify(payload)}`;
        const reply = await suite.api.post(
          `${hook.path}/codehost`,
          { repository, sender, ...payload },
          { 'x-codehost-event': event },
        );
        expect([reply.status, reply.text], what).toEqual([204, '']);
        const [message] = await hook.messages();
        expect(message, what).toMatchObject({
          content: '',
          webhook_id: hook.webhook.id,
          author: { id: hook.webhook.id, username: 'Code host', avatar: null, bot: true },
        });
        const expected = { type: 'rich', ...embed, ...(by && { author: author(by) }) };
        expect(
          message?.embeds.map(({ fields: _, ...rest }) => rest),
          what,
        ).toEqual([expected]);
      }
      expect(await hook.messages()).toHaveLength(RENDERED.length);
    });

    it('renders nothing where its row says so, or without its repository', async () => {
      const hook = await openHook(suite);
      const deliver = async (event: string, payload: object) => {
        const reply = await suite.api.post(`${hook.path}/codehost`, payload, { 'x-codehost-event': event });
        expect([reply.status, reply.text], event).toEqual([204, '']);
      };
      for (const [event, payload] of NOTHING) await deliver(event, { repository, sender, ...payload });
      for (const [event, payload] of RENDERED) await deliver(event, { sender, ...payload });
      const [first] = RENDERED;
      await suite.api.post(`${hook.path}/codehost`, { repository, sender, ...first?.[1] });
      expect(await hook.messages()).toEqual([]);
    });
  });
}
