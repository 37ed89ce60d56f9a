import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import type { Channel } from '../support/objects.ts';
import { hookIn } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { bits } from './bits.ts';
import {
  createChannel,
  createRole,
  done,
  type GuildFixture,
  newGuild,
  ok,
  patchChannel,
  post,
  say,
} from './guild-fixture.ts';

export function channels(suite: TestSuite): void {
  const listed = ({ owner, guild }: GuildFixture) =>
    ok<Channel[]>(owner.api.get(`/guilds/${guild.id}/channels`));

  describe('channels', () => {
    it('are text, voice and categories, which hold the others', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild } = fixture;
      const category = await createChannel(fixture, { name: 'Rooms', type: 4 });
      const voice = await createChannel(fixture, { name: 'Talk', type: 2, parent_id: category.id });
      const overwrite = { id: guild.id, type: 0, allow: '0', deny: bits('SEND_MESSAGES') };
      const text = await createChannel(fixture, {
        name: 'news',
        topic: 'What is new',
        parent_id: category.id,
        rate_limit_per_user: 5,
        permission_overwrites: [overwrite],
      });
      expect(text).toMatchObject({
        guild_id: guild.id,
        type: 0,
        name: 'news',
        topic: 'What is new',
        parent_id: category.id,
        rate_limit_per_user: 5,
        permission_overwrites: [overwrite],
        last_message_id: null,
      });
      expect(text.position).toEqual(expect.any(Number));
      expect(await ok(owner.api.get(`/channels/${text.id}`))).toEqual(text);
      expect(await listed(fixture)).toEqual(expect.arrayContaining([category, voice, text]));

      const changed = await patchChannel(fixture, text.id, { name: 'olds', topic: null, parent_id: null });
      expect(changed).toEqual({ ...text, name: 'olds', topic: null, parent_id: null });
      await done(owner.api.send('DELETE', `/channels/${category.id}`));
      expect(await ok(owner.api.get(`/channels/${voice.id}`)), 'rooms outlive their category').toMatchObject({
        parent_id: null,
      });
    });

    it('are refused with what a channel cannot have', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild, channel } = fixture;
      const elsewhere = await createChannel(await newGuild(suite.api), { name: 'Rooms', type: 4 });
      const refused: [object, string, string?][] = [
        [{ name: '' }, 'name', 'STRING_LENGTH_INVALID'],
        [{ name: '😀'.repeat(101) }, 'name', 'STRING_LENGTH_INVALID'],
        [{ topic: '😀'.repeat(1025) }, 'topic', 'STRING_LENGTH_INVALID'],
        [{ rate_limit_per_user: 21601 }, 'rate_limit_per_user', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
        [{ rate_limit_per_user: -1 }, 'rate_limit_per_user', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
        [{ rate_limit_per_user: 1.5 }, 'rate_limit_per_user'],
        [{ parent_id: '0x1' }, 'parent_id', 'INVALID_SNOWFLAKE_FORMAT'],
        [{ parent_id: elsewhere.id }, 'parent_id'],
        [{ parent_id: channel.id }, 'parent_id'],
      ];
      for (const [change, path, code = expect.any(String)] of refused) {
        const reply = await owner.api.send('PATCH', `/channels/${channel.id}`, { body: change });
        const { errors } = expectError(reply, 400, 'INVALID_FORM_BODY');
        expect(errors, reply.text).toMatchObject([{ path, code }]);
      }
      for (const type of [1, 3, 5, -1, 'text']) {
        const reply = await owner.api.post(`/guilds/${guild.id}/channels`, { name: 'x', type });
        expect(expectError(reply, 400, 'INVALID_FORM_BODY').errors, reply.text).toMatchObject([
          { path: 'type' },
        ]);
      }
      expect(await listed(fixture)).toHaveLength(1);
      const bounds = { name: '😀'.repeat(100), topic: '😀'.repeat(1024), rate_limit_per_user: 21600 };
      expect(await patchChannel(fixture, channel.id, bounds)).toMatchObject(bounds);
    });

    it('take messages, but for categories', async () => {
      const fixture = await newGuild(suite.api);
      const { owner } = fixture;
      const category = await createChannel(fixture, { type: 4 });
      const voice = await createChannel(fixture, { type: 2 });
      await say({ channel: voice }, owner, 'hello');
      expect((await post({ channel: category }, owner, 'hello')).status).toBe(400);
      expectError(
        await owner.api.post(`/channels/${category.id}/webhooks`, { name: 'x' }),
        400,
        'BAD_REQUEST',
      );
      expect((await owner.api.post(`/channels/${voice.id}/webhooks`, { name: 'x' })).status).toBe(200);
    });

    it('are put in order all together or not at all', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild, channel } = fixture;
      const other = await createChannel(fixture, { name: 'other' });
      const order = (...positions: [string, number][]) =>
        owner.api.send('PATCH', `/guilds/${guild.id}/channels`, {
          body: { positions: positions.map(([id, position]) => ({ id, position })) },
        });
      const positions = async () =>
        new Map((await listed(fixture)).map(({ id, position }) => [id, position]));
      await done(order([channel.id, 7], [other.id, 3]));
      const set = new Map([
        [channel.id, 7],
        [other.id, 3],
      ]);
      expect(await positions()).toEqual(set);
      const foreign = (await newGuild(suite.api)).channel;
      for (const id of ['1', foreign.id]) {
        const reply = await order([channel.id, 1], [id, 2]);
        expect([400, 404], reply.text).toContain(reply.status);
      }
      expectError(await order([channel.id, 1], [other.id, -1]), 400, 'INVALID_FORM_BODY', {
        'positions.1.position': 'VALUE_MUST_BE_INTEGER_IN_RANGE',
      });
      expect(await positions()).toEqual(set);
    });

    it('take overwrites of their own guild’s roles only', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild, channel } = fixture;
      const theirs = await createRole(await newGuild(suite.api), { name: 'theirs' });
      const body = { type: 0, allow: '0', deny: bits('SEND_MESSAGES') };
      const put = await owner.api.send('PUT', `/channels/${channel.id}/permissions/${theirs.id}`, { body });
      expectError(put, 404, 'UNKNOWN_ROLE');
      const created = await owner.api.post(`/guilds/${guild.id}/channels`, {
        name: 'x',
        type: 0,
        permission_overwrites: [{ id: theirs.id, ...body }],
      });
      expect([400, 404], created.text).toContain(created.status);
      expect(await listed(fixture)).toMatchObject([{ id: channel.id, permission_overwrites: [] }]);
    });

    it('keep the overwrites that are set one by one, until each is removed or its role is', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, guild, channel } = fixture;
      const role = await createRole(fixture, {});
      const path = (id: string) => `/channels/${channel.id}/permissions/${id}`;
      const stored = async () =>
        (await ok<Channel>(owner.api.get(`/channels/${channel.id}`))).permission_overwrites;
      const one = { type: 0, allow: bits('SEND_MESSAGES'), deny: '0' };
      const other = { type: 1, allow: '0', deny: bits('VIEW_CHANNEL', 'SEND_MESSAGES') };
      await done(owner.api.send('PUT', path(role.id), { body: one }));
      await done(owner.api.send('PUT', path(owner.user.id), { body: other }));
      expect(await stored()).toHaveLength(2);
      expect(await stored()).toEqual(
        expect.arrayContaining([
          { id: role.id, ...one },
          { id: owner.user.id, ...other },
        ]),
      );
      await done(owner.api.send('DELETE', path(owner.user.id)));
      expect(await stored()).toEqual([{ id: role.id, ...one }]);
      await done(owner.api.send('DELETE', `/guilds/${guild.id}/roles/${role.id}`));
      expect(await stored()).toEqual([]);
    });

    it('end with their messages, invites and webhooks', async () => {
      const fixture = await newGuild(suite.api);
      const { owner, channel } = fixture;
      const code = await fixture.invite();
      const hook = await hookIn(fixture, suite.api);
      await hook.say({ content: 'x' });
      await done(owner.api.send('DELETE', `/channels/${channel.id}`));
      expectError(await owner.api.get(`/channels/${channel.id}`), 404, 'NOT_FOUND');
      expectError(await owner.api.get(`/channels/${channel.id}/messages`), 404, 'NOT_FOUND');
      expectError(await suite.api.get(`/invites/${code}`), 404, 'UNKNOWN_INVITE');
      await until('the webhook is gone', 30_000, async () =>
        (await suite.api.get(hook.path)).status === 404 ? true : undefined,
      );
      expect(await listed(fixture)).toEqual([]);
    });
  });
}
