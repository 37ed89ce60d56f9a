import { describe, expect, it } from 'vitest';
import { bits } from '../chat/permission-bits.ts';
import { withGlobalRetry } from '../support/api.ts';
import { createBot } from '../support/bots.ts';
import { expectNoContent, expectOk } from '../support/expect-status.ts';
import { createRole, giveRole, join, newGuild } from '../support/guilds.ts';
import type { Webhook } from '../support/objects.ts';
import { createGuild, newcomer } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { deleteWebhook, openWebhook, patchWebhook, postWebhook } from './calls.ts';

export function management(stack: TestStack): void {
  describe('a webhook object', () => {
    it('has exactly the documented members, with its creator as a public user', async () => {
      const { owner, guild, channel } = await newGuild(stack.api);
      const body = { name: '  Build  ', id: '1', token: 'x', channel_id: '1', nonsense: 1 };
      const reply = await postWebhook(owner.api, channel.id, body);
      const { id, username } = owner.user;
      expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const webhook = reply.json<Webhook>();
      expect(webhook).toEqual({
        id: expect.stringMatching(/^[1-9]\d{0,18}$/),
        guild_id: guild.id,
        channel_id: channel.id,
        name: 'Build',
        avatar: null,
        token: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
        type: 1,
        application_id: null,
        url: expect.stringMatching(/^https?:.*\/api\/v1\/webhooks\/\d+\/[A-Za-z0-9]{64}$/),
        user: { id, username, discriminator: '0', global_name: null, avatar: null, bot: false },
      });
      for (const path of [
        `/webhooks/${webhook.id}`,
        `/channels/${channel.id}/webhooks`,
        `/guilds/${guild.id}/webhooks`,
      ]) {
        const read = await owner.api.get(path);
        expect([read.status, read.headers.get('cache-control')], path).toEqual([200, 'no-store']);
        expect([read.json()].flat(), path).toEqual([webhook]);
      }
      const changed = await patchWebhook(owner.api, webhook.id, { name: 'Alarm', token: 'y', user: null });
      expect(changed.headers.get('cache-control')).toBe('no-store');
      expect(changed.json()).toEqual({ ...webhook, name: 'Alarm' });
    });

    it('shows the bot that created it', async () => {
      const bot = await createBot(await newcomer(withGlobalRetry(stack.api)));
      const { channel, guild } = await createGuild(bot);
      const made = await expectOk<Webhook>(postWebhook(bot.api, channel.id));
      expect(made.user).toMatchObject({ id: bot.id, discriminator: '0', bot: true });
      expect(await expectOk(bot.api.get(`/guilds/${guild.id}/webhooks`))).toEqual([made]);
      await expectNoContent(deleteWebhook(bot.api, made.id));
    });

    it('shows its creator’s current name', async () => {
      const { owner, webhook } = await openWebhook(stack);
      const global_name = 'Grace';
      await expectOk(owner.api.send('PATCH', '/users/@me', { body: { global_name } }));
      const user = async () => (await expectOk<Webhook>(owner.api.get(`/webhooks/${webhook.id}`))).user;
      await expect.poll(user).toEqual({ ...webhook.user, global_name });
    });

    it('keeps a creator who left, and has null once the account is deleted', async () => {
      const fixture = await newGuild(stack.api);
      const { owner, channel, guild } = fixture;
      const maker = await join(stack.api, fixture);
      await giveRole(fixture, maker, await createRole(fixture, { permissions: bits('MANAGE_WEBHOOKS') }));
      const made = await expectOk<Webhook>(postWebhook(maker.api, channel.id));
      const read = () => expectOk<Webhook>(owner.api.get(`/webhooks/${made.id}`));
      await expectNoContent(maker.api.send('DELETE', `/users/@me/guilds/${guild.id}`));
      expect(await read()).toEqual(made);
      const gone = await maker.api.post('/users/@me/delete', { password: maker.password });
      expect(gone.status, gone.text).toBe(204);
      await expect.poll(async () => (await read()).user).toBeNull();
      expect((await stack.api.post(`/webhooks/${made.id}/${made.token}`, { content: 'x' })).status).toBe(204);
    });
  });
}
