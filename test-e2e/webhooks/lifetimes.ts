import { describe, expect, it } from 'vitest';
import { withGlobalRetry } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createChannel } from '../support/guilds.ts';
import type { Message, Webhook } from '../support/objects.ts';
import { createWebhook } from '../support/people.ts';
import { png } from '../support/png.ts';
import type { TestStack } from '../support/stack.ts';
import { deleteWebhook, openWebhook, patchWebhook, postWebhook } from './calls.ts';

export function lifetimes(stack: TestStack): void {
  const api = () => withGlobalRetry(stack.api);

  describe('a webhook’s message', () => {
    it('stays unchanged when the webhook is renamed, moved and deleted', async () => {
      const hook = await openWebhook(stack, { name: 'Build', avatar: png(2, 4).toString('base64') });
      const { owner, webhook, channel } = hook;
      const said = await hook.say({ content: 'first' });
      expect(said.author).toMatchObject({ username: 'Build', avatar: webhook.avatar });
      const room = await createChannel(hook, { name: 'room' });
      await expectOk(
        patchWebhook(owner.api, webhook.id, { name: 'Alarm', avatar: null, channel_id: room.id }),
      );
      const kept = () => expectOk<Message>(owner.api.get(`/channels/${channel.id}/messages/${said.id}`));
      expect(await kept()).toEqual(said);
      const second = await hook.say({ content: 'second' });
      expect(second).toMatchObject({ channel_id: room.id, author: { username: 'Alarm', avatar: null } });
      await expectNoContent(deleteWebhook(owner.api, webhook.id));
      expect(await kept()).toEqual(said);
      expect(await expectOk(owner.api.get(`/channels/${room.id}/messages`))).toEqual([second]);
      const picture = await fetch(`${stack.url}/media/avatars/${webhook.id}/${webhook.avatar}`);
      expect(picture.status, 'the message still shows the picture').toBe(200);
    });
  });

  describe('a deleted channel', () => {
    it('is deleted with its webhooks, and no others', async () => {
      const hook = await openWebhook(stack);
      const { owner, guild } = hook;
      const room = await createChannel(hook, { name: 'room' });
      const lost = await createWebhook({ ...hook, channel: room }, api());
      const moved = await expectOk<Webhook>(postWebhook(owner.api, room.id));
      await expectOk(patchWebhook(owner.api, moved.id, { channel_id: hook.channel.id }));
      await expectNoContent(owner.api.send('DELETE', `/channels/${room.id}`));
      expectError(await lost.execute({ content: 'x' }), 404, 'NOT_FOUND');
      await expect.poll(async () => (await api().get(lost.path)).status).toBe(404);
      await expect.poll(async () => (await owner.api.get(`/webhooks/${lost.webhook.id}`)).status).toBe(404);
      const left = await expectOk<Webhook[]>(owner.api.get(`/guilds/${guild.id}/webhooks`));
      expect(left.map(({ id }) => id)).toEqual([hook.webhook.id, moved.id]);
      expect((await hook.execute({ content: 'x' })).status).toBe(204);
    });
  });

  describe('a deleted guild', () => {
    it('is deleted with all its webhooks', async () => {
      const hook = await openWebhook(stack);
      await expectNoContent(hook.owner.api.send('DELETE', `/guilds/${hook.guild.id}`));
      expectError(await hook.execute({ content: 'x' }), 404, 'NOT_FOUND');
      await expect.poll(async () => (await api().get(hook.path)).status).toBe(404);
      await expect
        .poll(async () => (await hook.owner.api.get(`/webhooks/${hook.webhook.id}`)).status)
        .toBe(404);
      expectError(await hook.owner.api.get(`/guilds/${hook.guild.id}/webhooks`), 404, 'NOT_FOUND');
    });
  });
}
