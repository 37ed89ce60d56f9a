import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { OverwriteInput, PutOverwriteRequest } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addAccount,
  addChannel,
  addGuild,
  addMember,
  addOverwrite,
  addRole,
  newId,
} from '../support/guilds.ts';
import { channelEvents, entriesAbout } from '../support/log.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_overwrites', 2);
});
afterAll(() => fixture.close());

const UNKNOWN = String(2n ** 62n);
const ROLE = 0;
const MEMBER = 1;

type Bits = Partial<Omit<PutOverwriteRequest, 'channel_id' | 'overwrite_id'>>;

const put = (channel_id: string, by: string, overwrite_id: string, bits: Bits) =>
  fixture.chat.putOverwrite({ channel_id, overwrite_id, type: ROLE, ...bits }, as(by));

const remove = (channel_id: string, by: string, overwrite_id: string, reason?: string) =>
  fixture.chat.deleteOverwrite({ channel_id, overwrite_id, reason }, as(by));

const overwritesOf = async (channel_id: string, by: string) =>
  (await fixture.chat.getChannel({ channel_id }, as(by))).channel?.permission_overwrites;

/** A guild with a member who manages its roles, and one with the permissions of @everyone. */
async function guildWithManager() {
  const guild = await addGuild(fixture);
  const manager = await addMember(fixture, guild.guild_id);
  await addRole(fixture, guild.guild_id, Permission.MANAGE_ROLES, { holder: manager });
  return { ...guild, manager, member: await addMember(fixture, guild.guild_id) };
}

describe('setting an overwrite', () => {
  test('stores it, takes effect at once, and logs an entry for each change', async () => {
    const { guild_id, general, manager, member, owner } = await guildWithManager();
    const { VIEW_CHANNEL, SPEAK } = Permission;
    expect(await put(general, manager, member, { type: MEMBER, deny: String(VIEW_CHANNEL) })).toEqual({});
    expect(await reasonOf(fixture.chat.getChannel({ channel_id: general }, as(member)))).toBe(
      'MISSING_ACCESS',
    );
    await put(general, manager, member, { type: MEMBER, allow: String(SPEAK), reason: 'back%20again' });
    const stored = { id: member, type: MEMBER, allow: String(SPEAK), deny: '0' };
    expect(await overwritesOf(general, member)).toEqual([stored]);

    const events = await channelEvents(fixture, general);
    expect(events.map(({ type, payload }) => [type, payload.permission_overwrites])).toEqual([
      ['CHANNEL_UPDATE', [{ ...stored, allow: '0', deny: String(VIEW_CHANNEL) }]],
      ['CHANNEL_UPDATE', [stored]],
    ]);
    const entry = { user_id: manager, options: { id: member, type: MEMBER } };
    expect(await entriesAbout(fixture, guild_id, general)).toEqual([
      {
        ...entry,
        action_type: 13,
        reason: null,
        changes: [
          { key: 'id', new_value: member },
          { key: 'type', new_value: MEMBER },
          { key: 'allow', new_value: '0' },
          { key: 'deny', new_value: String(VIEW_CHANNEL) },
        ],
      },
      {
        ...entry,
        action_type: 14,
        reason: 'back again',
        changes: [
          { key: 'allow', old_value: '0', new_value: String(SPEAK) },
          { key: 'deny', old_value: String(VIEW_CHANNEL), new_value: '0' },
        ],
      },
    ]);
    await put(general, owner, member, { type: MEMBER, allow: String(SPEAK) });
    expect(await channelEvents(fixture, general), 'nothing was different').toHaveLength(2);
    expect(await entriesAbout(fixture, guild_id, general)).toHaveLength(2);
  });

  test('works for roles, including @everyone, and drops unknown bits', async () => {
    const { guild_id, general, owner } = await guildWithManager();
    const role = await addRole(fixture, guild_id, 0n);
    await put(general, owner, guild_id, { deny: String((1n << 62n) | (1n << 19n)) });
    await put(general, owner, role, { allow: String(2n ** 63n - 1n) });
    expect(await overwritesOf(general, owner)).toEqual([
      { id: role, type: ROLE, allow: '33787032395841535', deny: '0' },
      { id: guild_id, type: ROLE, allow: '0', deny: '0' },
    ]);
  });

  test('requires MANAGE_ROLES in the channel and every allowed or denied permission', async () => {
    const { guild_id, general, manager, member, owner } = await guildWithManager();
    const bits = { deny: String(Permission.SPEAK) };
    expect(await reasonOf(put(general, member, guild_id, bits))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(put(general, addAccount(fixture), guild_id, bits))).toBe('MISSING_ACCESS');
    for (const beyond of [Permission.BAN_MEMBERS, Permission.ADMINISTRATOR]) {
      const allow = String(beyond | Permission.SPEAK);
      expect(await reasonOf(put(general, manager, guild_id, { allow }))).toBe('MISSING_PERMISSIONS');
      expect(await reasonOf(put(general, manager, guild_id, { deny: allow }))).toBe('MISSING_PERMISSIONS');
    }
    await put(general, manager, guild_id, bits);
    await addOverwrite(fixture, general, { id: manager, type: MEMBER, deny: Permission.STREAM });
    const lost = put(general, manager, guild_id, { allow: String(Permission.STREAM) });
    expect(await reasonOf(lost), 'granted by the guild, denied in the channel').toBe('MISSING_PERMISSIONS');
    await put(general, owner, member, { type: MEMBER, allow: String(Permission.MANAGE_ROLES) });
    const role = await addRole(fixture, guild_id, 0n);
    await put(general, member, role, { allow: String(Permission.CONNECT) });
    await put(general, owner, manager, { type: MEMBER, deny: String(Permission.MANAGE_ROLES) });
    expect(await reasonOf(put(general, manager, guild_id, bits))).toBe('MISSING_PERMISSIONS');
  });

  test('gives members no permission back that they are denied', async () => {
    const { general, manager, member, owner } = await guildWithManager();
    const denied = { type: MEMBER, deny: String(Permission.STREAM) };
    for (const id of [manager, member]) await put(general, owner, id, denied);
    for (const id of [manager, member]) {
      expect(await reasonOf(put(general, manager, id, { type: MEMBER }))).toBe('MISSING_PERMISSIONS');
      expect(await reasonOf(remove(general, manager, id))).toBe('MISSING_PERMISSIONS');
    }
    expect(await overwritesOf(general, owner)).toMatchObject([{ deny: denied.deny }, { deny: denied.deny }]);
  });

  test('for an ID that is no role or member of the guild is UNKNOWN_ROLE or UNKNOWN_MEMBER', async () => {
    const { guild_id, general, owner, member } = await guildWithManager();
    const { guild_id: other, owner: stranger } = await addGuild(fixture);
    const foreign = await addRole(fixture, other, 0n);
    const role = await addRole(fixture, guild_id, 0n);
    for (const id of [UNKNOWN, foreign, other, member, 'x']) {
      expect(await reasonOf(put(general, owner, id, { type: ROLE }))).toBe('UNKNOWN_ROLE');
    }
    for (const id of [UNKNOWN, stranger, role, guild_id, 'x']) {
      expect(await reasonOf(put(general, owner, id, { type: MEMBER }))).toBe('UNKNOWN_MEMBER');
    }
    expect(await overwritesOf(general, owner)).toEqual([]);
  });

  test.each([
    [{ type: 2 }, 'type VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ type: -1 }, 'type VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ allow: '-1' }, 'allow INVALID_FORMAT'],
    [{ allow: '' }, 'allow INVALID_FORMAT'],
    [{ deny: '0x1' }, 'deny INVALID_FORMAT'],
    [{ deny: '01' }, 'deny INVALID_FORMAT'],
    [{ deny: String(2n ** 64n) }, 'deny INVALID_FORMAT'],
    [{ deny: String(2n ** 63n) }, 'deny INVALID_FORMAT'],
  ])('with %j is refused', async (bits, violation) => {
    const { general, guild_id, owner } = await addGuild(fixture);
    expect(await violationsOf(put(general, owner, guild_id, bits))).toEqual([violation]);
  });

  test('in a channel with 100 overwrites changes existing ones and adds none, also for sixteen concurrent requests', async () => {
    const { guild_id, general, owner, member } = await guildWithManager();
    await fixture.sql.query(
      `INSERT INTO permission_overwrites (channel_id, id, type)
       SELECT $1, 800000000000000000 + n, 1 FROM generate_series(1, 97) AS n`,
      [general],
    );
    await put(general, owner, guild_id, { allow: '1' });
    const roles = await Promise.all(Array.from({ length: 16 }, () => addRole(fixture, guild_id, 0n)));
    const outcomes = await Promise.all(
      roles.map((role, n) =>
        (fixture.replicas[n % 2] ?? fixture.chat)
          .putOverwrite({ channel_id: general, overwrite_id: role, type: ROLE, allow: '1' }, as(owner))
          .then(
            () => 'set',
            (error: { reason: string }) => error.reason,
          ),
      ),
    );
    expect(outcomes.sort()).toEqual([...Array(14).fill('BAD_REQUEST'), 'set', 'set']);
    expect(await overwritesOf(general, owner)).toHaveLength(100);
    await put(general, owner, guild_id, { allow: '2' });
    expect(await reasonOf(put(general, owner, member, { type: MEMBER }))).toBe('BAD_REQUEST');
    expect(await remove(general, owner, UNKNOWN)).toEqual({});
    await remove(general, owner, guild_id);
    await put(general, owner, member, { type: MEMBER });
  });

  test('in a guild with 5,000 overwrites changes existing ones and adds none, by any RPC, also concurrently', async () => {
    const { guild_id, general, owner } = await guildWithManager();
    await fixture.sql.query(
      `WITH channel AS (
         INSERT INTO channels (id, guild_id, type, name) SELECT $1::bigint + 1000000 + n, $1, 0, 'c' FROM generate_series(1, 50) AS n
         RETURNING id
       )
       INSERT INTO permission_overwrites (channel_id, id, type)
       SELECT channel.id, 800000000000000000 + n, 1 FROM channel, generate_series(1, 100) AS n
       ORDER BY 1, 2 LIMIT 4998`,
      [guild_id],
    );
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const chat = fixture.replicas[(n >> 1) % 2] ?? fixture.chat;
        const overwrite = { id: await addRole(fixture, guild_id, 0n), type: ROLE, allow: '1' };
        const set =
          n % 2 === 0
            ? chat.putOverwrite({ ...overwrite, channel_id: general, overwrite_id: overwrite.id }, as(owner))
            : chat.createChannel({ guild_id, name: 'more', permission_overwrites: [overwrite] }, as(owner));
        return set.then(
          () => 'set',
          (error: { reason: string }) => error.reason,
        );
      }),
    );
    expect(outcomes.sort()).toEqual([...Array(6).fill('BAD_REQUEST'), 'set', 'set']);
    const first = String(BigInt(guild_id) + 1000001n);
    const patch = (channel_id: string, items: OverwriteInput[]) =>
      fixture.chat.updateChannel(
        { channel_id, topic: null, parent_id: null, permission_overwrites: { items } },
        as(owner),
      );
    const everyone = [{ id: guild_id, type: ROLE, allow: '1' }];
    expect(
      await reasonOf(patch(general, [...((await overwritesOf(general, owner)) ?? []), ...everyone])),
    ).toBe('BAD_REQUEST');
    await patch(first, everyone);
    await put(general, owner, guild_id, { allow: '2' });
  });
});

describe('deleting an overwrite', () => {
  test('requires MANAGE_ROLES in the channel, whatever the overwrite allows; a missing overwrite is no error', async () => {
    const { guild_id, general, manager, member } = await guildWithManager();
    await addOverwrite(fixture, general, { id: guild_id, type: ROLE, allow: Permission.BAN_MEMBERS });
    expect(await reasonOf(remove(general, member, guild_id))).toBe('MISSING_PERMISSIONS');
    expect(await remove(general, manager, guild_id, 'over')).toEqual({});
    expect(await overwritesOf(general, manager)).toEqual([]);
    expect(await channelEvents(fixture, general)).toMatchObject([
      { type: 'CHANNEL_UPDATE', payload: { permission_overwrites: [] } },
    ]);
    expect(await entriesAbout(fixture, guild_id, general)).toEqual([
      {
        action_type: 15,
        user_id: manager,
        reason: 'over',
        options: { id: guild_id, type: ROLE },
        changes: [
          { key: 'id', old_value: guild_id },
          { key: 'type', old_value: ROLE },
          { key: 'allow', old_value: String(Permission.BAN_MEMBERS) },
          { key: 'deny', old_value: '0' },
        ],
      },
    ]);
    for (const id of [guild_id, UNKNOWN]) expect(await remove(general, manager, id)).toEqual({});
    expect(await channelEvents(fixture, general)).toHaveLength(1);
    expect(await reasonOf(remove(general, member, UNKNOWN))).toBe('MISSING_PERMISSIONS');
  });

  test('works for a former member', async () => {
    const { general, manager } = await guildWithManager();
    const gone = newId();
    await addOverwrite(fixture, general, { id: gone, type: MEMBER });
    await remove(general, manager, gone);
    expect(await overwritesOf(general, manager)).toEqual([]);
  });
});

test('an unknown channel is NOT_FOUND; a private channel is BAD_REQUEST for its recipients, and MISSING_ACCESS for others', async () => {
  const [ann, bob] = [addAccount(fixture), addAccount(fixture)];
  const { channel } = await fixture.chat.openPrivateChannel({ recipients: [bob] }, as(ann));
  const foreign = await addChannel(fixture, (await addGuild(fixture)).guild_id, 0);
  for (const [id, reason] of [
    [UNKNOWN, 'NOT_FOUND'],
    [channel?.id ?? '', 'BAD_REQUEST'],
    [foreign, 'MISSING_ACCESS'],
  ] as const) {
    expect(await reasonOf(put(id, ann, bob, { type: MEMBER }))).toBe(reason);
    expect(await reasonOf(remove(id, ann, bob))).toBe(reason);
  }
  const stranger = addAccount(fixture);
  expect(await reasonOf(put(channel?.id ?? '', stranger, bob, { type: MEMBER }))).toBe('MISSING_ACCESS');
});
