import { Permission } from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { CreateChannelRequest, OverwriteInput, UpdateChannelRequest } from '@gatehouse/proto/chat';
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
import { as, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_channels', 2);
});
afterAll(() => fixture.close());

const UNKNOWN = String(2n ** 62n);

type NewChannel = Partial<Omit<CreateChannelRequest, 'guild_id'>>;

const request = (guild_id: string, channel: NewChannel): CreateChannelRequest => ({
  guild_id,
  name: 'plans',
  permission_overwrites: [],
  ...channel,
});

async function create(guild_id: string, by: string, channel: NewChannel = {}) {
  const response = await fixture.chat.createChannel(request(guild_id, channel), as(by));
  if (response.channel === null) throw new Error('no channel was returned');
  return response.channel;
}

const refuse = (guild_id: string, by: string, channel: NewChannel) =>
  fixture.chat.createChannel(request(guild_id, channel), as(by));

const update = (channel_id: string, by: string, changes: Partial<Omit<UpdateChannelRequest, 'channel_id'>>) =>
  fixture.chat.updateChannel({ channel_id, topic: null, parent_id: null, ...changes }, as(by));

const get = async (channel_id: string, by: string) =>
  (await fixture.chat.getChannel({ channel_id }, as(by))).channel;

const remove = (channel_id: string, by: string, reason?: string) =>
  fixture.chat.deleteChannel({ channel_id, reason }, as(by));

const order = (guild_id: string, by: string, positions: [string, number][]) =>
  fixture.chat.updateChannelPositions(
    { guild_id, positions: positions.map(([id, position]) => ({ id, position })) },
    as(by),
  );

const listed = async (guild_id: string, by: string) =>
  (await fixture.chat.listGuildChannels({ guild_id }, as(by))).channels;

const typesOf = async (channel_id: string) =>
  (await channelEvents(fixture, channel_id)).map(({ type }) => type);

/** A guild with a member who manages its channels and roles, and one with the permissions of @everyone. */
async function guildWithManager() {
  const guild = await addGuild(fixture);
  const manager = await addMember(fixture, guild.guild_id);
  await addRole(fixture, guild.guild_id, Permission.MANAGE_CHANNELS | Permission.MANAGE_ROLES, {
    holder: manager,
  });
  return { ...guild, manager, member: await addMember(fixture, guild.guild_id) };
}

describe('a new channel', () => {
  test('has the values sent, comes last, and is written to the event log and the audit log', async () => {
    const { guild_id, manager, owner } = await guildWithManager();
    const category = await create(guild_id, owner, { name: 'Work', type: 4 });
    expect(category).toMatchObject({ type: 4, position: 1, parent_id: null });
    const overwrites: OverwriteInput[] = [{ id: manager, type: 1, allow: '1024', deny: '2048' }];
    const channel = await create(guild_id, manager, {
      name: ' 🐝 plans ',
      type: 2,
      topic: 'What is next',
      parent_id: category.id,
      rate_limit_per_user: 21_600,
      permission_overwrites: overwrites,
      reason: 'for%20the%20spring',
    });
    expect(channel).toEqual({
      id: channel.id,
      guild_id,
      type: 2,
      name: '🐝 plans',
      topic: 'What is next',
      position: 2,
      parent_id: category.id,
      rate_limit_per_user: 21_600,
      permission_overwrites: overwrites,
      last_message_id: null,
      recipients: [],
      owner_id: null,
    });
    expect(await get(channel.id, manager)).toEqual(channel);
    const { recipients: _, ...row } = channel;
    expect(await channelEvents(fixture, channel.id)).toEqual([
      { type: 'CHANNEL_CREATE', account_ids: null, payload: { ...row, recipient_ids: [] } },
    ]);
    expect(await entriesAbout(fixture, guild_id, channel.id)).toEqual([
      {
        action_type: 10,
        user_id: manager,
        reason: 'for the spring',
        options: null,
        changes: [
          { key: 'name', new_value: '🐝 plans' },
          { key: 'type', new_value: 2 },
          { key: 'topic', new_value: 'What is next' },
          { key: 'position', new_value: 2 },
          { key: 'parent_id', new_value: category.id },
          { key: 'rate_limit_per_user', new_value: 21_600 },
          { key: 'permission_overwrites', new_value: overwrites },
        ],
      },
    ]);
  });

  test('is a text channel by default, at the position sent', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const channel = await create(guild_id, owner, { position: 7, topic: '' });
    expect(channel).toMatchObject({ type: 0, position: 7, topic: null, rate_limit_per_user: 0 });
    expect(await create(guild_id, owner)).toMatchObject({ position: 8 });
    expect(await create(guild_id, owner, { position: 10_000 })).toMatchObject({ position: 10_000 });
    expect(await create(guild_id, owner)).toMatchObject({ position: 10_000 });
  });

  test('requires membership and MANAGE_CHANNELS', async () => {
    const { guild_id, member } = await guildWithManager();
    expect(await reasonOf(refuse(guild_id, member, {}))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(refuse(guild_id, addAccount(fixture), {}))).toBe('MISSING_ACCESS');
    expect(await reasonOf(refuse(UNKNOWN, member, {}))).toBe('NOT_FOUND');
  });

  test('reports all violations together', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const wrong = refuse(guild_id, owner, {
      name: ' ',
      type: 1,
      topic: '🐝'.repeat(1025),
      rate_limit_per_user: 21_601,
      position: -1,
      permission_overwrites: [
        { id: '1', type: 2, allow: '-1' },
        { id: '1', type: 0, deny: String(2n ** 64n) },
        { id: '2', type: 1, allow: '0x10', deny: ' 1' },
      ],
    });
    expect(await violationsOf(wrong)).toEqual([
      'name STRING_LENGTH_INVALID',
      'topic STRING_LENGTH_INVALID',
      'position VALUE_MUST_BE_INTEGER_IN_RANGE',
      'rate_limit_per_user VALUE_MUST_BE_INTEGER_IN_RANGE',
      'permission_overwrites.0.type VALUE_MUST_BE_INTEGER_IN_RANGE',
      'permission_overwrites.0.allow INVALID_FORMAT',
      'permission_overwrites.1.id INVALID_FORMAT',
      'permission_overwrites.1.deny INVALID_FORMAT',
      'permission_overwrites.2.allow INVALID_FORMAT',
      'permission_overwrites.2.deny INVALID_FORMAT',
      'type INVALID_FORMAT',
    ]);
    expect(await listed(guild_id, owner)).toHaveLength(1);
  });

  test.each([
    [{ type: 1 }, 'type INVALID_FORMAT'],
    [{ type: 3 }, 'type INVALID_FORMAT'],
    [{ type: 5 }, 'type INVALID_FORMAT'],
    [{ type: -1 }, 'type INVALID_FORMAT'],
    [{ name: 'x'.repeat(101) }, 'name STRING_LENGTH_INVALID'],
    [{ name: 'a\0b' }, 'name INVALID_FORMAT'],
    [{ rate_limit_per_user: -1 }, 'rate_limit_per_user VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ position: 10_001 }, 'position VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ parent_id: 'top' }, 'parent_id INVALID_SNOWFLAKE_FORMAT'],
    [{ reason: '%E0%A4%A' }, 'X-Audit-Log-Reason INVALID_FORMAT'],
  ])('with %j is refused', async (channel, violation) => {
    const { guild_id, owner } = await addGuild(fixture);
    expect(await violationsOf(refuse(guild_id, owner, channel))).toEqual([violation]);
  });

  test('accepts a name of 100 emoji and a topic of 1,024', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const long = { name: '🐝'.repeat(100), topic: '🐝'.repeat(1024) };
    expect(await create(guild_id, owner, long)).toMatchObject(long);
  });

  test('may have only a category of its guild as its parent', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { guild_id: other } = await addGuild(fixture);
    const category = await create(guild_id, owner, { type: 4 });
    const elsewhere = await addChannel(fixture, other, 4);
    for (const parent_id of [general, elsewhere, UNKNOWN, guild_id]) {
      expect(await violationsOf(refuse(guild_id, owner, { parent_id }))).toEqual([
        'parent_id INVALID_FORMAT',
      ]);
    }
    const nested = refuse(guild_id, owner, { type: 4, parent_id: category.id });
    expect(await violationsOf(nested)).toEqual(['parent_id INVALID_FORMAT']);
  });

  test('may have overwrites only of roles and members of its guild', async () => {
    const { guild_id, owner, member } = await guildWithManager();
    const { guild_id: other, owner: stranger } = await addGuild(fixture);
    const role = await addRole(fixture, guild_id, 0n);
    const foreign = await addRole(fixture, other, 0n);
    const wrong = refuse(guild_id, owner, {
      permission_overwrites: [
        { id: foreign, type: 0 },
        { id: guild_id, type: 0 },
        { id: stranger, type: 1 },
        { id: role, type: 0 },
        { id: role.slice(0, -1), type: 1 },
        { id: member, type: 0 },
      ],
    });
    expect(await violationsOf(wrong)).toEqual(
      [0, 2, 4, 5].map((n) => `permission_overwrites.${n}.id INVALID_FORMAT`),
    );
    expect(await listed(guild_id, owner)).toHaveLength(1);
  });

  test('requires MANAGE_ROLES and each overwritten permission for overwrites', async () => {
    const { guild_id, manager } = await guildWithManager();
    const limited = await addMember(fixture, guild_id);
    await addRole(fixture, guild_id, Permission.MANAGE_CHANNELS, { holder: limited });
    const of = (allow: bigint, deny = 0n) => ({
      permission_overwrites: [{ id: guild_id, type: 0, allow: String(allow), deny: String(deny) }],
    });
    expect(await reasonOf(refuse(guild_id, limited, of(Permission.SPEAK)))).toBe('MISSING_PERMISSIONS');
    for (const beyond of [
      of(Permission.BAN_MEMBERS),
      of(0n, Permission.BAN_MEMBERS),
      of(Permission.ADMINISTRATOR),
    ]) {
      expect(await reasonOf(refuse(guild_id, manager, beyond))).toBe('MISSING_PERMISSIONS');
    }
    const unknownBits = (1n << 62n) | (1n << 19n) | Permission.SPEAK;
    const { permission_overwrites } = await create(guild_id, manager, of(unknownBits));
    expect(permission_overwrites).toEqual([
      { id: guild_id, type: 0, allow: String(Permission.SPEAK), deny: '0' },
    ]);
    await create(guild_id, limited);
  });

  test('is at most the 500th of its guild, also for sixteen concurrent requests', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    await fixture.sql.query(
      `INSERT INTO channels (id, guild_id, type, name)
       SELECT 700000000000000000 + n, $1, 0, 'c' FROM generate_series(1, 496) AS n`,
      [guild_id],
    );
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, n) => {
        const replica = fixture.replicas[n % 2] ?? fixture.chat;
        const made = replica.createChannel(request(guild_id, {}), as(owner));
        return made.then(
          () => 'made',
          (error: { reason: string }) => error.reason,
        );
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'BAD_REQUEST')).toHaveLength(13);
    expect(await listed(guild_id, owner)).toHaveLength(500);
  });
});

describe('a change of a channel', () => {
  test('changes the settings sent, and logs the differences', async () => {
    const { guild_id, general, manager, owner } = await guildWithManager();
    const category = await create(guild_id, owner, { type: 4 });
    const { channel } = await update(general, manager, {
      name: 'talk',
      topic: { value: 'Anything' },
      parent_id: { value: category.id },
      rate_limit_per_user: 5,
      position: 3,
      reason: 'tidy',
    });
    expect(channel).toMatchObject({
      id: general,
      name: 'talk',
      topic: 'Anything',
      parent_id: category.id,
      rate_limit_per_user: 5,
      position: 3,
    });
    expect(await get(general, owner)).toEqual(channel);

    await update(general, manager, { topic: {}, parent_id: {} });
    expect(await get(general, owner)).toMatchObject({ topic: null, parent_id: null, name: 'talk' });
    const events = await channelEvents(fixture, general);
    expect(events.map(({ type, payload }) => [type, payload.topic])).toEqual([
      ['CHANNEL_UPDATE', 'Anything'],
      ['CHANNEL_UPDATE', null],
    ]);
    expect(await entriesAbout(fixture, guild_id, general)).toEqual([
      {
        action_type: 11,
        user_id: manager,
        reason: 'tidy',
        options: null,
        changes: [
          { key: 'name', old_value: 'general', new_value: 'talk' },
          { key: 'topic', new_value: 'Anything' },
          { key: 'position', old_value: 0, new_value: 3 },
          { key: 'parent_id', new_value: category.id },
          { key: 'rate_limit_per_user', old_value: 0, new_value: 5 },
        ],
      },
      {
        action_type: 11,
        user_id: manager,
        reason: null,
        options: null,
        changes: [
          { key: 'topic', old_value: 'Anything' },
          { key: 'parent_id', old_value: category.id },
        ],
      },
    ]);
  });

  test('that changes nothing is not logged', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const before = await get(general, owner);
    expect(await update(general, owner, {})).toEqual({ channel: before });
    const same = { name: ' general ', topic: {}, position: 0, permission_overwrites: { items: [] } };
    expect(await update(general, owner, same)).toEqual({ channel: before });
    expect(await channelEvents(fixture, general)).toEqual([]);
    expect(await entriesAbout(fixture, guild_id, general)).toEqual([]);
  });

  test('requires MANAGE_CHANNELS in the channel', async () => {
    const { guild_id, general, member, manager } = await guildWithManager();
    expect(await reasonOf(update(general, member, { name: 'x' }))).toBe('MISSING_PERMISSIONS');
    await addOverwrite(fixture, general, { id: member, type: 1, allow: Permission.MANAGE_CHANNELS });
    await update(general, member, { name: 'x' });
    await addOverwrite(fixture, general, { id: manager, type: 1, deny: Permission.MANAGE_CHANNELS });
    expect(await reasonOf(update(general, manager, { name: 'y' }))).toBe('MISSING_PERMISSIONS');
    const hidden = await create(guild_id, manager);
    await addOverwrite(fixture, hidden.id, { id: manager, type: 1, deny: Permission.VIEW_CHANNEL });
    expect(await reasonOf(update(hidden.id, manager, { name: 'y' }))).toBe('MISSING_ACCESS');
    expect(await reasonOf(update(general, addAccount(fixture), { name: 'y' }))).toBe('MISSING_ACCESS');
    expect(await reasonOf(update(UNKNOWN, manager, { name: 'y' }))).toBe('NOT_FOUND');
  });

  test.each([
    [{ name: '' }, 'name STRING_LENGTH_INVALID'],
    [{ topic: { value: 'x'.repeat(1025) } }, 'topic STRING_LENGTH_INVALID'],
    [{ rate_limit_per_user: 21_601 }, 'rate_limit_per_user VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ rate_limit_per_user: -1 }, 'rate_limit_per_user VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ parent_id: { value: '01' } }, 'parent_id INVALID_SNOWFLAKE_FORMAT'],
    [{ parent_id: { value: UNKNOWN } }, 'parent_id INVALID_FORMAT'],
    [
      { permission_overwrites: { items: [{ id: '5', type: 0, allow: '1e3' }] } },
      'permission_overwrites.0.allow INVALID_FORMAT',
    ],
    [
      { permission_overwrites: { items: [{ id: UNKNOWN, type: 0 }] } },
      'permission_overwrites.0.id INVALID_FORMAT',
    ],
  ])('with %j is refused', async (changes, violation) => {
    const { general, owner } = await addGuild(fixture);
    expect(await violationsOf(update(general, owner, changes))).toEqual([violation]);
    expect(await channelEvents(fixture, general)).toEqual([]);
  });

  test('does not accept a category of another guild as parent, or a parent for a category', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { guild_id: other } = await addGuild(fixture);
    const foreign = await addChannel(fixture, other, 4);
    const [category, second] = [
      await create(guild_id, owner, { type: 4 }),
      await create(guild_id, owner, { type: 4 }),
    ];
    for (const [id, parent] of [
      [general, foreign],
      [general, general],
      [category.id, second.id],
      [category.id, category.id],
    ] as const) {
      const moved = update(id, owner, { parent_id: { value: parent } });
      expect(await violationsOf(moved)).toEqual(['parent_id INVALID_FORMAT']);
    }
  });

  test('replaces all overwrites: each difference has an entry, and requires MANAGE_ROLES and its permissions', async () => {
    const { guild_id, general, manager, member, owner } = await guildWithManager();
    const role = await addRole(fixture, guild_id, 0n);
    await addOverwrite(fixture, general, { id: role, type: 0, allow: Permission.BAN_MEMBERS });
    await addOverwrite(fixture, general, { id: member, type: 1, deny: Permission.SPEAK });
    const kept = { id: role, type: 0, allow: String(Permission.BAN_MEMBERS), deny: '0' };
    const items = [kept, { id: guild_id, type: 0, allow: '0', deny: String(Permission.SPEAK) }];

    const changed = { ...kept, deny: String(Permission.SPEAK) };
    const beyond = update(general, manager, { permission_overwrites: { items: [changed] } });
    expect(await reasonOf(beyond), 'BAN_MEMBERS is newly set').toBe('MISSING_PERMISSIONS');
    const { channel } = await update(general, manager, { permission_overwrites: { items } });
    expect(channel?.permission_overwrites).toEqual(
      [...items].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)),
    );
    expect(await typesOf(general)).toEqual(['CHANNEL_UPDATE']);
    expect(await entriesAbout(fixture, guild_id, general)).toEqual([
      {
        action_type: 13,
        user_id: manager,
        reason: null,
        options: { id: guild_id, type: 0 },
        changes: [
          { key: 'id', new_value: guild_id },
          { key: 'type', new_value: 0 },
          { key: 'allow', new_value: '0' },
          { key: 'deny', new_value: String(Permission.SPEAK) },
        ],
      },
      {
        action_type: 15,
        user_id: manager,
        reason: null,
        options: { id: member, type: 1 },
        changes: [
          { key: 'id', old_value: member },
          { key: 'type', old_value: 1 },
          { key: 'allow', old_value: '0' },
          { key: 'deny', old_value: String(Permission.SPEAK) },
        ],
      },
    ]);

    await addOverwrite(fixture, general, { id: manager, type: 1, deny: Permission.MANAGE_ROLES });
    const cleared = update(general, manager, { permission_overwrites: { items: [] } });
    expect(await reasonOf(cleared)).toBe('MISSING_PERMISSIONS');
    await update(general, manager, { name: 'still mine' });
    await update(general, owner, { permission_overwrites: { items: [] } });
    expect((await get(general, owner))?.permission_overwrites).toEqual([]);
  });

  test('keeps an overwrite of a former member', async () => {
    const { general, owner } = await addGuild(fixture);
    const gone = { id: newId(), type: 1, allow: '0', deny: '1024' };
    await addOverwrite(fixture, general, { ...gone, allow: 0n, deny: 1024n });
    const { channel } = await update(general, owner, { permission_overwrites: { items: [gone] } });
    expect(channel?.permission_overwrites).toEqual([gone]);
    const again = { ...gone, deny: '2048' };
    expect(await violationsOf(update(general, owner, { permission_overwrites: { items: [again] } }))).toEqual(
      ['permission_overwrites.0.id INVALID_FORMAT'],
    );
  });
});

describe('a private channel', () => {
  const open = async (by: string, ...recipients: string[]) => {
    const { channel } = await fixture.chat.openPrivateChannel({ recipients }, as(by));
    return channel?.id ?? '';
  };

  test('lets any recipient of a group DM change its name, and nothing else', async () => {
    const [ann, bob, cid] = [
      addAccount(fixture, 'ann'),
      addAccount(fixture, 'bob'),
      addAccount(fixture, 'cid'),
    ];
    const group = await open(ann, bob, cid);
    const before = (await channelEvents(fixture, group)).length;
    const { channel } = await update(group, bob, { name: 'Us' });
    expect(channel).toMatchObject({ name: 'Us', type: 3, owner_id: ann });
    expect(channel?.recipients.map(({ username }) => username)).toEqual(['ann', 'cid']);
    const [event, ...more] = (await channelEvents(fixture, group)).slice(before);
    expect(event).toMatchObject({
      type: 'CHANNEL_UPDATE',
      account_ids: [ann, bob, cid],
      payload: { name: 'Us' },
    });
    expect(more).toEqual([]);

    await update(group, cid, { name: 'Us' });
    expect(await channelEvents(fixture, group)).toHaveLength(before + 1);
    for (const others of [{ topic: {} }, { position: 1 }, { name: 'x', rate_limit_per_user: 1 }]) {
      expect(await reasonOf(update(group, ann, others))).toBe('BAD_REQUEST');
    }
    expect(await violationsOf(update(group, ann, { name: '' }))).toEqual(['name STRING_LENGTH_INVALID']);
    expect(await reasonOf(update(group, addAccount(fixture), { name: 'x' }))).toBe('MISSING_ACCESS');
  });

  test('is refused for a DM', async () => {
    const [ann, bob] = [addAccount(fixture), addAccount(fixture)];
    expect(await reasonOf(update(await open(ann, bob), ann, { name: 'x' }))).toBe('BAD_REQUEST');
  });
});

describe('a deleted channel', () => {
  test('is deleted with its overwrites and invites, and its event shows its last state', async () => {
    const { guild_id, general, manager, owner } = await guildWithManager();
    await addOverwrite(fixture, general, { id: manager, type: 1, deny: Permission.SPEAK });
    await fixture.sql.query(
      `INSERT INTO invites (code, guild_id, channel_id, inviter_id, max_uses, max_age) VALUES ($1, $2, $3, $4, 0, 0)`,
      [general, guild_id, general, owner],
    );
    const { recipients: _, ...row } = (await get(general, owner)) ?? { recipients: [] };
    expect(await remove(general, manager, 'closed')).toEqual({});
    expect(await reasonOf(get(general, owner))).toBe('NOT_FOUND');
    expect(await listed(guild_id, owner)).toEqual([]);
    expect(await reasonOf(fixture.chat.createMessage(messageOf(general, 'x'), as(owner)))).toBe('NOT_FOUND');
    const { rows } = await fixture.sql.query('SELECT FROM invites WHERE channel_id = $1', [general]);
    expect(rows).toEqual([]);
    expect(await channelEvents(fixture, general)).toEqual([
      { type: 'CHANNEL_DELETE', account_ids: null, payload: { ...row, recipient_ids: [] } },
    ]);
    const [entry] = await entriesAbout(fixture, guild_id, general);
    expect(entry).toMatchObject({ action_type: 12, user_id: manager, reason: 'closed' });
    expect(entry?.changes).toContainEqual({ key: 'name', old_value: 'general' });
    expect(await reasonOf(remove(general, manager))).toBe('NOT_FOUND');
    expect(await reasonOf(update(general, manager, { name: 'x' }))).toBe('NOT_FOUND');
  });

  test('keeps a category’s channels, without a parent', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const category = await create(guild_id, owner, { type: 4 });
    const inside = [
      await create(guild_id, owner, { parent_id: category.id }),
      await create(guild_id, owner, { parent_id: category.id, type: 2 }),
    ];
    await remove(category.id, owner);
    for (const { id } of inside) {
      expect(await get(id, owner)).toMatchObject({ parent_id: null });
      expect(await channelEvents(fixture, id)).toMatchObject([
        { type: 'CHANNEL_CREATE' },
        { type: 'CHANNEL_UPDATE', payload: { parent_id: null } },
      ]);
    }
    const { rows } = await fixture.sql.query(
      `SELECT channel_id FROM events WHERE guild_id = $1 AND type <> 'CHANNEL_CREATE' ORDER BY id`,
      [guild_id],
    );
    const [, ...rest] = rows.map(({ channel_id }) => channel_id);
    expect(rest, 'the category comes last').toEqual([...inside, category].map(({ id }) => id));
  });

  test('requires MANAGE_CHANNELS in the channel', async () => {
    const { general, manager, member } = await guildWithManager();
    expect(await reasonOf(remove(general, member))).toBe('MISSING_PERMISSIONS');
    await addOverwrite(fixture, general, { id: manager, type: 1, deny: Permission.MANAGE_CHANNELS });
    expect(await reasonOf(remove(general, manager))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(remove(general, addAccount(fixture)))).toBe('MISSING_ACCESS');
    expect(await reasonOf(remove(UNKNOWN, manager))).toBe('NOT_FOUND');
  });

  test('happens once, for sixteen concurrent requests', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        (fixture.replicas[n % 2] ?? fixture.chat).deleteChannel({ channel_id: general }, as(owner)).then(
          () => 'deleted',
          (error: { reason: string }) => error.reason,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual([...Array(15).fill('NOT_FOUND'), 'deleted']);
    expect(await typesOf(general)).toEqual(['CHANNEL_DELETE']);
    expect(await entriesAbout(fixture, guild_id, general)).toHaveLength(1);
  });
});

describe('a request to move channels', () => {
  test('moves the listed channels, and logs only those that moved', async () => {
    const { guild_id, general, manager, owner } = await guildWithManager();
    const second = await create(guild_id, owner);
    const third = await create(guild_id, owner);
    await order(guild_id, manager, [
      [general, 2],
      [second.id, 1],
      [third.id, 0],
    ]);
    expect((await listed(guild_id, owner)).map(({ id }) => id)).toEqual([third.id, second.id, general]);
    expect(await typesOf(second.id)).toEqual(['CHANNEL_CREATE']);
    expect(await channelEvents(fixture, general)).toMatchObject([
      { type: 'CHANNEL_UPDATE', payload: { position: 2 } },
    ]);
    expect(await entriesAbout(fixture, guild_id, general)).toMatchObject([
      { action_type: 11, user_id: manager, changes: [{ key: 'position', old_value: 0, new_value: 2 }] },
    ]);
    await order(guild_id, manager, []);
    await order(guild_id, manager, [[general, 2]]);
    expect(await channelEvents(fixture, general)).toHaveLength(1);
  });

  test('moves all or none: an unknown, deleted or foreign channel is NOT_FOUND', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const { general: foreign } = await addGuild(fixture);
    const gone = await create(guild_id, owner);
    await remove(gone.id, owner);
    for (const id of [UNKNOWN, foreign, gone.id]) {
      const wrong = order(guild_id, owner, [
        [general, 5],
        [id, 1],
      ]);
      expect(await reasonOf(wrong)).toBe('NOT_FOUND');
    }
    expect(await get(general, owner)).toMatchObject({ position: 0 });
  });

  test('lists each channel once, at positions from 0 to 10000, and at most 500', async () => {
    const { guild_id, general, owner } = await addGuild(fixture);
    const wrong = order(guild_id, owner, [
      [general, 10_001],
      [general, -1],
    ]);
    expect(await violationsOf(wrong)).toEqual([
      'positions.0.position VALUE_MUST_BE_INTEGER_IN_RANGE',
      'positions.1.id INVALID_FORMAT',
      'positions.1.position VALUE_MUST_BE_INTEGER_IN_RANGE',
    ]);
    const many = Array.from({ length: 501 }, (_, n): [string, number] => [String(n), 0]);
    expect(await violationsOf(order(guild_id, owner, many))).toEqual(['positions INVALID_FORMAT']);
  });

  test('requires MANAGE_CHANNELS and VIEW_CHANNEL in each moved channel', async () => {
    const { guild_id, general, manager, owner } = await guildWithManager();
    const other = await create(guild_id, owner, { name: 'other' });
    for (const [deny, reason] of [
      [Permission.MANAGE_CHANNELS, 'MISSING_PERMISSIONS'],
      [Permission.VIEW_CHANNEL, 'MISSING_ACCESS'],
    ] as const) {
      const bits = { type: 1, allow: '0', deny: String(deny) };
      await fixture.chat.putOverwrite({ channel_id: general, overwrite_id: manager, ...bits }, as(owner));
      const both: [string, number][] = [
        [other.id, 7],
        [general, 8],
      ];
      expect(await reasonOf(order(guild_id, manager, both))).toBe(reason);
      expect((await listed(guild_id, owner)).map(({ position }) => position)).toEqual([0, 1]);
    }
    await order(guild_id, manager, [
      [other.id, 7],
      [general, 0],
    ]);
    expect((await listed(guild_id, owner)).map(({ position }) => position)).toEqual([0, 7]);
  });

  test('requires MANAGE_CHANNELS in the guild', async () => {
    const { guild_id, general, member } = await guildWithManager();
    await addOverwrite(fixture, general, { id: member, type: 1, allow: Permission.MANAGE_CHANNELS });
    expect(await reasonOf(order(guild_id, member, [[general, 1]]))).toBe('MISSING_PERMISSIONS');
    expect(await reasonOf(order(UNKNOWN, member, [[general, 1]]))).toBe('NOT_FOUND');
    expect(await reasonOf(order(guild_id, addAccount(fixture), [[general, 1]]))).toBe('MISSING_ACCESS');
  });
});
