import { describe, expect, it } from 'vitest';
import { bits } from '../chat/bits.ts';
import {
  createChannel,
  createRole,
  done,
  giveRole,
  guildFor,
  join,
  newBot,
  newGuild,
  ok,
} from '../chat/guild-fixture.ts';
import { unhurried } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { Channel, Webhook } from '../support/objects.ts';
import { newcomer } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { create, openHook, patch, remove } from './calls.ts';

export function management(suite: TestSuite): void {
  describe('a webhook object', () => {
    it('has the members of the table and no others, and its creator as a public user', async () => {
      const { owner, guild, channel } = await newGuild(suite.api);
      const body = { name: '  Build  ', id: '1', token: 'x', channel_id: '1', nonsense: 1 };
      const reply = await create(owner.api, channel.id, body);
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
      const changed = await patch(owner.api, webhook.id, { name: 'Alarm', token: 'y', user: null });
      expect(changed.headers.get('cache-control')).toBe('no-store');
      expect(changed.json()).toEqual({ ...webhook, name: 'Alarm' });
    });

    it('shows the bot that made it', async () => {
      const bot = await newBot(await newcomer(unhurried(suite.api)));
      const { channel, guild } = await guildFor(bot);
      const made = await ok<Webhook>(create(bot.api, channel.id));
      expect(made.user).toMatchObject({ id: bot.id, discriminator: '0', bot: true });
      expect(await ok(bot.api.get(`/guilds/${guild.id}/webhooks`))).toEqual([made]);
      await done(remove(bot.api, made.id));
    });

    it('shows its creator as they are now', async () => {
      const { owner, webhook } = await openHook(suite);
      const global_name = 'Grace';
      await ok(owner.api.send('PATCH', '/users/@me', { body: { global_name } }));
      const user = async () => (await ok<Webhook>(owner.api.get(`/webhooks/${webhook.id}`))).user;
      await expect.poll(user).toEqual({ ...webhook.user, global_name });
    });

    it('keeps the creator who left, and has null once the account is gone', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, channel, guild } = fixture;
      const maker = await join(suite.api, fixture);
      await giveRole(fixture, maker, await createRole(fixture, { permissions: bits('MANAGE_WEBHOOKS') }));
      const made = await ok<Webhook>(create(maker.api, channel.id));
      const read = () => ok<Webhook>(owner.api.get(`/webhooks/${made.id}`));
      await done(maker.api.send('DELETE', `/users/@me/guilds/${guild.id}`));
      expect(await read()).toEqual(made);
      const gone = await maker.api.post('/users/@me/delete', { password: maker.password });
      expect(gone.status, gone.text).toBe(204);
      await expect.poll(async () => (await read()).user).toBeNull();
      expect((await suite.api.post(`/webhooks/${made.id}/${made.token}`, { content: 'x' })).status).toBe(204);
    });
  });

  describe('lists of webhooks', () => {
    it('are ordered by ID, over a channel and over a guild', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild, channel } = fixture;
      const other = await createChannel(fixture, { name: 'other', type: 2 });
      const made: Webhook[] = [];
      for (const at of [channel, other, channel, other, channel])
        made.push(await ok<Webhook>(create(owner.api, at.id, { name: `n${made.length}` })));
      const of = (at: Channel) => made.filter(({ channel_id }) => channel_id === at.id);
      await ok(patch(owner.api, of(channel)[0]?.id ?? '', { name: 'n0', avatar: null }));
      expect(await ok(owner.api.get(`/guilds/${guild.id}/webhooks`))).toEqual(made);
      for (const at of [channel, other])
        expect(await ok(owner.api.get(`/channels/${at.id}/webhooks`))).toEqual(of(at));
    });

    it('are empty where there is none', async () => {
      const { owner, guild, channel } = await newGuild(suite.api);
      for (const path of [`/guilds/${guild.id}/webhooks`, `/channels/${channel.id}/webhooks`])
        expect(await ok(owner.api.get(path))).toEqual([]);
    });
  });

  describe('a name', () => {
    it('is of 1 to 80 characters after trimming, wherever it is set', async () => {
      const { owner, channel, webhook, path } = await openHook(suite);
      const ways = [
        (name: string) => create(owner.api, channel.id, { name }),
        (name: string) => patch(owner.api, webhook.id, { name }),
        (name: string) => unhurried(suite.api).send('PATCH', path, { body: { name } }),
      ];
      for (const way of ways) {
        for (const name of ['x', '😀'.repeat(80), ` \t\n${'é'.repeat(80)}\r\n `])
          expect((await ok<Webhook>(way(name))).name).toBe(name.trim());
        for (const name of ['', ' ', '\n\t', '😀'.repeat(81), ` ${'x'.repeat(81)} `])
          expectError(await way(name), 400, 'BAD_REQUEST', { name: 'WEBHOOK_NAME_LENGTH_INVALID' });
      }
    });

    it('is kept when it is left out, and no update of nothing is refused', async () => {
      const { owner, webhook } = await openHook(suite);
      expect(await ok(patch(owner.api, webhook.id, {}))).toEqual(webhook);
      expect(await ok(patch(owner.api, webhook.id, { name: webhook.name }))).toEqual(webhook);
      expect(await ok(patch(owner.api, webhook.id, { channel_id: webhook.channel_id }))).toEqual(webhook);
    });
  });

  describe('a channel that holds no webhooks', () => {
    it('is a DM, a group DM or a category: 400 for listing, making and moving', async () => {
      const fixture = await openHook(suite);
      const { owner, webhook } = fixture;
      const [one, two] = [await newcomer(unhurried(suite.api)), await newcomer(unhurried(suite.api))];
      const open = (...recipients: string[]) =>
        ok<Channel>(owner.api.post('/users/@me/channels', { recipients }));
      const dm = await open(one.user.id);
      const group = await open(one.user.id, two.user.id);
      expect([dm.type, group.type]).toEqual([1, 3]);
      const category = await createChannel(fixture, { name: 'c', type: 4 });
      for (const { id } of [dm, group, category]) {
        expectError(await create(owner.api, id), 400, 'BAD_REQUEST');
        expectError(await create(owner.api, id, { name: '' }), 400, 'BAD_REQUEST');
        expectError(await patch(owner.api, webhook.id, { channel_id: id }), 400, 'BAD_REQUEST');
      }
      for (const { id } of [dm, group])
        expectError(await owner.api.get(`/channels/${id}/webhooks`), 400, 'BAD_REQUEST');
      expect(await ok(owner.api.get(`/webhooks/${webhook.id}`))).toEqual(webhook);
    });
  });
}
