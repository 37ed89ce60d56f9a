import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createChannel, post, say as sayAs } from '../support/guilds.ts';
import type { Message } from '../support/objects.ts';
import { createWebhook } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { openWebhook, patchWebhook, UNKNOWN_ID } from './calls.ts';

export function ownMessages(stack: TestStack): void {
  /** Calls the three message routes, deletion last. */
  async function* answers(path: string, id: string) {
    const at = `${path}/messages/${id}`;
    yield await stack.api.get(at);
    yield await stack.api.send('PATCH', at, { body: { content: 'changed' } });
    yield await stack.api.send('DELETE', at);
  }

  async function expectRefused(path: string, id: string, status: number, code: string) {
    for await (const reply of answers(path, id)) expectError(reply, status, code);
  }

  describe('the message routes', () => {
    it('accept the webhook’s messages from every route', async () => {
      const hook = await openWebhook(stack);
      const { path } = hook;
      await hook.execute({ content: 'x' });
      await stack.api.post(`${path}/chatcompat`, { text: 'x' });
      await stack.api.post(`${path}/statuspage`, { component: {} });
      const repository = { full_name: 'a/b', name: 'b' };
      await stack.api.post(`${path}/codehost`, { repository }, { 'x-codehost-event': 'public' });
      const posted = await hook.messages();
      expect(posted).toHaveLength(4);
      for (const { id } of posted) {
        const [read, edited, deleted] = await Array.fromAsync(answers(path, id));
        expect([read?.status, edited?.status, deleted?.status]).toEqual([200, 200, 204]);
      }
      expect(await hook.messages()).toEqual([]);
    });

    it('are 403 MISSING_PERMISSIONS for messages of others in the channel', async () => {
      const hook = await openWebhook(stack);
      const sibling = await createWebhook(hook, withGlobalRetry(stack.api));
      const theirs = await sibling.say({ content: 'a sibling’s' });
      const person = await sayAs(hook, hook.owner, 'a person’s');
      for (const { id } of [theirs, person]) await expectRefused(hook.path, id, 403, 'MISSING_PERMISSIONS');
      expect((await hook.messages()).map(({ content }) => content).sort()).toEqual([
        'a person’s',
        'a sibling’s',
      ]);
    });

    it('are 404 UNKNOWN_MESSAGE for unknown and deleted messages and those in other channels', async () => {
      const hook = await openWebhook(stack);
      const elsewhere = await openWebhook(stack);
      const room = await createChannel(hook, { name: 'room' });
      const other = await createWebhook({ ...hook, channel: room }, withGlobalRetry(stack.api));
      const gone = await hook.say({ content: 'x' });
      await expectNoContent(
        hook.owner.api.send('DELETE', `/channels/${hook.channel.id}/messages/${gone.id}`),
      );
      const ids = [
        UNKNOWN_ID,
        gone.id,
        (await other.say({ content: 'x' })).id,
        (await elsewhere.say({ content: 'x' })).id,
      ];
      for (const id of ids) await expectRefused(hook.path, id, 404, 'UNKNOWN_MESSAGE');
      expectError(
        await stack.api.send('PATCH', `${hook.path}/messages/${UNKNOWN_ID}`, { body: { content: 5 } }),
        400,
        'INVALID_FORM_BODY',
      );
    });

    it('only reach messages in the webhook’s current channel', async () => {
      const hook = await openWebhook(stack);
      const { owner, webhook, channel, path } = hook;
      const { id } = await hook.say({ content: 'x' });
      const room = await createChannel(hook, { name: 'room' });
      await expectOk(patchWebhook(owner.api, webhook.id, { channel_id: room.id }));
      await expectRefused(path, id, 404, 'UNKNOWN_MESSAGE');
      await expectOk(patchWebhook(owner.api, webhook.id, { channel_id: channel.id }));
      const [read, edited, deleted] = await Array.fromAsync(answers(path, id));
      expect([read?.status, edited?.status, deleted?.status]).toEqual([200, 200, 204]);
    });

    it('are not available to accounts, which can delete the message but not edit it', async () => {
      const hook = await openWebhook(stack);
      const { owner, channel } = hook;
      const { id } = await hook.say({ content: 'x' });
      const at = `/channels/${channel.id}/messages/${id}`;
      const edit = await owner.api.send('PATCH', at, { body: { content: 'y' } });
      expect(edit.status).toBe(403);
      await expectNoContent(owner.api.send('DELETE', at));
      expectError(await stack.api.get(`${hook.path}/messages/${id}`), 404, 'UNKNOWN_MESSAGE');
      expect((await post(hook, owner, 'still open')).status).toBe(200);
    });
  });

  describe('an edit', () => {
    it('changes only the given fields, and returns the stored message', async () => {
      const hook = await openWebhook(stack);
      const said = await hook.say({
        content: 'old',
        embeds: [{ title: 'a' }, { title: 'b' }],
        username: 'Night',
      });
      const edit = (body: object) =>
        expectOk<Message>(stack.api.send('PATCH', `${hook.path}/messages/${said.id}`, { body }));
      const steps: [object, Partial<Message>][] = [
        [{ content: ' new ', username: 'Day', nonce: 'n', tts: true }, { content: 'new' }],
        [{ embeds: [{ title: 'c' }] }, { content: 'new' }],
        [{ embeds: null, flags: 4100 }, { flags: 4100 }],
        [{ flags: 2147483647 - 4 }, { flags: 4096 }],
        [{ flags: 0 }, { flags: 0, content: 'new' }],
        [{ content: '', flags: 0 }, { content: '' }],
        [
          { content: 'back', embeds: [] },
          { content: 'back', embeds: [] },
        ],
      ];
      for (const [body, expected] of steps) {
        const edited = await edit(body);
        expect(edited, JSON.stringify(body)).toMatchObject({
          ...expected,
          author: said.author,
          timestamp: said.timestamp,
        });
        expect(await hook.messages()).toEqual([edited]);
      }
      expect((await edit({ content: 'back' })).content).toBe('back');
    });
  });
}
