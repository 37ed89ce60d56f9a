import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../support/api.ts';
import { expectOk } from '../support/expect-status.ts';
import { createChannel } from '../support/guilds.ts';
import type { Message } from '../support/objects.ts';
import { createWebhook } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { deleteWebhook, openWebhook, patchWebhook } from './calls.ts';

const MANY = 16;

const together = <T>(send: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: MANY }, (_, n) => send(n)));

export function webhookRaces(stack: TestStack): void {
  const api = () => withGlobalRetry(stack.api);

  describe('concurrent executions of a webhook', () => {
    it('during its deletion: exactly the admitted messages exist', async () => {
      const hook = await openWebhook(stack);
      const replies = await together((n) =>
        n === 7 ? deleteWebhook(hook.owner.api, hook.webhook.id) : hook.execute({ content: `${n}` }),
      );
      const posted = replies.filter((reply, n) => n !== 7 && reply.status === 204).length;
      expect(replies.every(({ status }) => [204, 404].includes(status))).toBe(true);
      expect(await hook.messages()).toHaveLength(posted);
    });

    it('during a move: each message is in one of the two channels', async () => {
      const hook = await openWebhook(stack);
      const { owner, webhook, channel } = hook;
      const room = await createChannel(hook, { name: 'room' });
      const replies = await together((n) =>
        n % 4 === 0
          ? patchWebhook(owner.api, webhook.id, { channel_id: n % 8 ? channel.id : room.id })
          : hook.execute({ content: `${n}` }),
      );
      expect(replies.every(({ status }) => status === 200 || status === 204)).toBe(true);
      const there = await expectOk<Message[]>(owner.api.get(`/channels/${room.id}/messages`));
      const said = [...there, ...(await hook.messages())].map(({ content }) => content);
      expect(said.sort()).toEqual(
        Array.from({ length: MANY }, (_, n) => `${n}`)
          .filter((n) => Number(n) % 4)
          .sort(),
      );
    });

    it('during the deletion of its channel: 204 or 404', async () => {
      const hook = await openWebhook(stack);
      const room = await createChannel(hook, { name: 'room' });
      const there = await createWebhook({ ...hook, channel: room }, api());
      const replies = await together((n) =>
        n === 7 ? hook.owner.api.send('DELETE', `/channels/${room.id}`) : there.execute({ content: 'x' }),
      );
      for (const { status, text } of replies) expect([204, 404], text).toContain(status);
    });
  });
}
