import {
  ALL_PERMISSIONS,
  DEFAULT_EVERYONE_PERMISSIONS,
  Permission,
} from '@gatehouse/chat-client/permissions';
import { reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { CreateRoleRequest, Role, UpdateRoleRequest } from '@gatehouse/proto/chat';
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
import { entriesOf, laterEventsOf } from '../support/log.ts';
import { as } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_roles', 2);
});
afterAll(() => fixture.close());

type Fields = Partial<Omit<CreateRoleRequest, 'guild_id'>>;

async function create(
  guild_id: string,
  account: string,
  fields: Fields = {},
  chat = fixture.chat,
): Promise<Role> {
  const { role } = await chat.createRole({ guild_id, ...fields }, as(account));
  if (role === null) throw new Error('no role was returned');
  return role;
}

async function update(
  guild_id: string,
  account: string,
  role_id: string,
  fields: Partial<UpdateRoleRequest>,
): Promise<Role | null> {
  return (await fixture.chat.updateRole({ guild_id, role_id, ...fields }, as(account))).role;
}

const move = (guild_id: string, account: string, positions: { id: string; position: number }[]) =>
  fixture.chat.updateRolePositions({ guild_id, positions, reason: 'order' }, as(account));

/** Name → position. */
async function places(guild_id: string, account: string): Promise<Record<string, number>> {
  const { roles } = await fixture.chat.listRoles({ guild_id }, as(account));
  return Object.fromEntries(roles.map(({ name, position }) => [name, position]));
}

describe('a new role', () => {
  test('has the requested values, and is the lowest above @everyone: the others move up', async () => {
    const { guild_id, owner, guild } = await addGuild(fixture);
    const first = await create(guild_id, owner, { name: 'first' });
    const fields = { name: ' second ', color: 0xffffff, hoist: true, mentionable: true, permissions: '8' };
    const second = await create(guild_id, owner, { ...fields, reason: 'why%20not' });
    expect(second).toEqual({ id: second.id, ...fields, name: 'second', position: 1 });
    const moved = { ...first, position: 2 };
    expect((await fixture.chat.listRoles({ guild_id }, as(owner))).roles).toEqual([
      guild.roles[0],
      second,
      moved,
    ]);
    expect((await laterEventsOf(fixture, guild_id)).map(({ type, payload }) => [type, payload])).toEqual([
      ['GUILD_ROLE_CREATE', { guild_id, role: first }],
      ['GUILD_ROLE_UPDATE', { guild_id, role: moved }],
      ['GUILD_ROLE_CREATE', { guild_id, role: second }],
    ]);
    expect((await entriesOf(fixture, guild_id))[1]).toEqual({
      action_type: 30,
      user_id: owner,
      target_id: second.id,
      reason: 'why not',
      options: null,
      changes: [
        { key: 'name', new_value: 'second' },
        { key: 'color', new_value: 0xffffff },
        { key: 'position', new_value: 1 },
        { key: 'hoist', new_value: true },
        { key: 'mentionable', new_value: true },
        { key: 'permissions', new_value: '8' },
      ],
    });
  });

  test('without values is "new role", with the permissions of @everyone that its creator has', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    expect(await create(guild_id, owner)).toMatchObject({
      name: 'new role',
      color: 0,
      hoist: false,
      mentionable: false,
      permissions: String(DEFAULT_EVERYONE_PERMISSIONS),
    });
  });

  test('drops unknown bits', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const role = await create(guild_id, owner, { permissions: '9223372036854775807' });
    expect(role.permissions).toBe(String(ALL_PERMISSIONS));
  });

  test.each<[Fields, string]>([
    [{ name: '' }, 'name STRING_LENGTH_INVALID'],
    [{ name: '   ' }, 'name STRING_LENGTH_INVALID'],
    [{ name: '🎭'.repeat(101) }, 'name STRING_LENGTH_INVALID'],
    [{ name: 'a\0' }, 'name INVALID_FORMAT'],
    [{ color: -1 }, 'color COLOR_VALUE_TOO_LOW'],
    [{ color: 0x1000000 }, 'color COLOR_VALUE_TOO_HIGH'],
    [{ permissions: '-1' }, 'permissions INVALID_FORMAT'],
    [{ permissions: '' }, 'permissions INVALID_FORMAT'],
    ...[' ', '0x8', '1e3', '01', '+1', '8 ', '1.0', String(1n << 63n)].map(
      (permissions): [Fields, string] => [{ permissions }, 'permissions INVALID_FORMAT'],
    ),
    [{ permissions: '18446744073709551616' }, 'permissions INVALID_FORMAT'],
  ])('and a changed one are refused %j', async (fields, violation) => {
    const { guild_id, owner } = await addGuild(fixture);
    expect(await violationsOf(create(guild_id, owner, fields))).toEqual([violation]);
    expect(await violationsOf(update(guild_id, owner, newId(), fields))).toEqual([violation]);
    expect(await laterEventsOf(fixture, guild_id)).toEqual([]);
  });

  test('reports all violations together', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const call = create(guild_id, owner, { name: '', color: -1, permissions: 'all' });
    expect(await violationsOf(call)).toEqual([
      'name STRING_LENGTH_INVALID',
      'color COLOR_VALUE_TOO_LOW',
      'permissions INVALID_FORMAT',
    ]);
  });
});

describe('of 250 roles', () => {
  test('sixteen concurrent requests at two replicas create the last three', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    await fixture.sql.query(
      `INSERT INTO roles (id, guild_id, name, position)
       SELECT $1::bigint + n, $1, 'role', 1 FROM generate_series(1, 246) AS n`,
      [guild_id],
    );
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        create(guild_id, owner, { name: `${n}` }, fixture.replicas[n % 2]).then(
          () => 'made',
          (error) => error.reason as string,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'BAD_REQUEST')).toHaveLength(13);
    const { roles } = await fixture.chat.listRoles({ guild_id }, as(owner));
    expect(roles).toHaveLength(250);

    const made = roles.find(({ position }) => position === 1);
    await fixture.chat.deleteRole({ guild_id, role_id: made?.id ?? '' }, as(owner));
    await create(guild_id, owner);
    expect(await reasonOf(create(guild_id, owner))).toBe('BAD_REQUEST');
  });
});

describe('a role', () => {
  test('is changed, its event has the whole role, and its entry only the changed fields', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const role = await create(guild_id, owner, { name: 'old', permissions: '0' });
    const changed = await update(guild_id, owner, role.id, { name: 'new', color: 0, permissions: '2048' });
    expect(changed).toEqual({ ...role, name: 'new', permissions: '2048' });
    expect((await laterEventsOf(fixture, guild_id)).at(-1)).toMatchObject({
      type: 'GUILD_ROLE_UPDATE',
      payload: { guild_id, role: changed },
    });
    expect((await entriesOf(fixture, guild_id)).at(-1)).toMatchObject({
      action_type: 31,
      user_id: owner,
      target_id: role.id,
      reason: null,
      changes: [
        { key: 'name', old_value: 'old', new_value: 'new' },
        { key: 'permissions', old_value: '0', new_value: '2048' },
      ],
    });
  });

  test('that is updated to the same values has no event', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const role = await create(guild_id, owner, { name: 'same' });
    expect(await update(guild_id, owner, role.id, { name: ' same', hoist: false })).toEqual(role);
    expect(await update(guild_id, owner, role.id, {})).toEqual(role);
    expect(await laterEventsOf(fixture, guild_id)).toHaveLength(1);
    expect(await entriesOf(fixture, guild_id)).toHaveLength(1);
  });

  test('that is deleted is held by no member, has no overwrites, and has one event', async () => {
    const { guild_id, owner, general } = await addGuild(fixture);
    const member = await addMember(fixture, guild_id);
    const role_id = await addRole(fixture, guild_id, Permission.KICK_MEMBERS, { holder: member });
    const voice = await addChannel(fixture, guild_id, 2);
    for (const channel of [general, voice])
      await addOverwrite(fixture, channel, { id: role_id, type: 0, deny: Permission.VIEW_CHANNEL });
    await addOverwrite(fixture, voice, { id: member, type: 1, deny: Permission.CONNECT });
    await fixture.chat.deleteRole({ guild_id, role_id, reason: 'unused' }, as(owner));

    const { channels } = await fixture.chat.listGuildChannels({ guild_id }, as(member));
    expect(channels.map(({ permission_overwrites }) => permission_overwrites.map(({ id }) => id))).toEqual([
      [],
      [member],
    ]);
    const [mine] = (await fixture.chat.listGuilds({}, as(member))).guilds;
    expect(mine?.permissions).toBe(String(DEFAULT_EVERYONE_PERMISSIONS));
    expect(await laterEventsOf(fixture, guild_id)).toEqual([
      { type: 'GUILD_ROLE_DELETE', account_ids: null, channel_id: null, payload: { guild_id, role_id } },
    ]);
    expect(await entriesOf(fixture, guild_id)).toMatchObject([
      { action_type: 32, target_id: role_id, reason: 'unused', changes: expect.any(Array) },
    ]);
    expect((await entriesOf(fixture, guild_id))[0]?.changes).toContainEqual({
      key: 'name',
      old_value: 'role',
    });
  });

  test('that is unknown, foreign or deleted meanwhile is UNKNOWN_ROLE for members with MANAGE_ROLES', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const other = await addGuild(fixture);
    const gone = await create(guild_id, owner);
    await fixture.chat.deleteRole({ guild_id, role_id: gone.id }, as(owner));
    const member = await addMember(fixture, guild_id);
    const foreign = await addRole(fixture, other.guild_id, 0n);
    for (const id of [newId(), other.guild_id, foreign, gone.id, 'x', '9223372036854775808']) {
      const reasons = (account: string) =>
        Promise.all([
          reasonOf(update(guild_id, account, id, { name: 'x' })),
          reasonOf(fixture.chat.deleteRole({ guild_id, role_id: id }, as(account))),
          reasonOf(move(guild_id, account, [{ id, position: 1 }])),
        ]);
      expect(await reasons(owner)).toEqual(Array(3).fill('UNKNOWN_ROLE'));
      expect(await reasons(member)).toEqual(Array(3).fill('MISSING_PERMISSIONS'));
    }
    expect(await places(other.guild_id, other.owner)).toEqual({ '@everyone': 0, role: 1 });
  });
});

describe('@everyone', () => {
  test('can be given other permissions, and keeps its name', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const changed = await update(guild_id, owner, guild_id, { name: '@everyone', permissions: '1024' });
    expect(changed).toMatchObject({ id: guild_id, name: '@everyone', permissions: '1024' });
    const member = await addMember(fixture, guild_id);
    expect((await fixture.chat.listGuilds({}, as(member))).guilds[0]?.permissions).toBe('1024');
  });

  test('cannot be renamed, deleted or moved', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const role = await create(guild_id, owner, { name: 'role' });
    expect(await reasonOf(update(guild_id, owner, guild_id, { name: 'all' }))).toBe('BAD_REQUEST');
    expect(await reasonOf(fixture.chat.deleteRole({ guild_id, role_id: guild_id }, as(owner)))).toBe(
      'BAD_REQUEST',
    );
    const both = [
      { id: role.id, position: 7 },
      { id: guild_id, position: 1 },
    ];
    expect(await reasonOf(move(guild_id, owner, both))).toBe('BAD_REQUEST');
    expect(await places(guild_id, owner)).toEqual({ '@everyone': 0, role: 1 });
    // Clients send all roles in their order.
    await move(guild_id, owner, [
      { id: guild_id, position: 0 },
      { id: role.id, position: 2 },
    ]);
    expect(await places(guild_id, owner)).toEqual({ '@everyone': 0, role: 2 });
  });
});

describe('positions', () => {
  test('are stored as sent, all or none; only moved roles have events and entries', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const c = await create(guild_id, owner, { name: 'c' });
    const b = await create(guild_id, owner, { name: 'b' });
    const a = await create(guild_id, owner, { name: 'a' });
    const before = (await laterEventsOf(fixture, guild_id)).length;
    await move(guild_id, owner, [
      { id: a.id, position: 10_000 },
      { id: b.id, position: 2 },
      { id: c.id, position: 0 },
    ]);
    expect(await places(guild_id, owner)).toEqual({ '@everyone': 0, a: 10_000, b: 2, c: 0 });
    expect(
      (await laterEventsOf(fixture, guild_id)).slice(before).map(({ type, payload }) => [type, payload]),
    ).toEqual([
      ['GUILD_ROLE_UPDATE', { guild_id, role: { ...a, position: 10_000 } }],
      ['GUILD_ROLE_UPDATE', { guild_id, role: { ...c, position: 0 } }],
    ]);
    expect((await entriesOf(fixture, guild_id)).slice(3)).toEqual([
      {
        action_type: 31,
        user_id: owner,
        target_id: a.id,
        reason: 'order',
        options: null,
        changes: [{ key: 'position', old_value: 1, new_value: 10_000 }],
      },
      expect.objectContaining({
        target_id: c.id,
        changes: [{ key: 'position', old_value: 3, new_value: 0 }],
      }),
    ]);
    await move(guild_id, owner, [{ id: b.id, position: 2 }]);
    await move(guild_id, owner, []);
    expect(await laterEventsOf(fixture, guild_id)).toHaveLength(before + 2);
  });

  test('change nothing if one is invalid', async () => {
    const { guild_id, owner } = await addGuild(fixture);
    const { id } = await create(guild_id, owner, { name: 'role' });
    const foreign = await addRole(fixture, (await addGuild(fixture)).guild_id, 0n);
    const refused = (positions: { id: string; position: number }[]) =>
      violationsOf(move(guild_id, owner, positions));
    expect(
      await refused([
        { id, position: 5 },
        { id, position: 6 },
      ]),
    ).toEqual(['positions.1.id INVALID_FORMAT']);
    expect(
      await refused([
        { id, position: -1 },
        { id: newId(), position: 10_001 },
      ]),
    ).toEqual([
      'positions.0.position VALUE_MUST_BE_INTEGER_IN_RANGE',
      'positions.1.position VALUE_MUST_BE_INTEGER_IN_RANGE',
    ]);
    const many = Array.from({ length: 251 }, () => ({ id: newId(), position: 1 }));
    expect(await refused(many)).toEqual(['positions INVALID_FORMAT']);
    const mixed = move(guild_id, owner, [
      { id, position: 5 },
      { id: foreign, position: 6 },
    ]);
    expect(await reasonOf(mixed)).toBe('UNKNOWN_ROLE');
    expect(await places(guild_id, owner)).toEqual({ '@everyone': 0, role: 1 });
    expect(await laterEventsOf(fixture, guild_id)).toHaveLength(1);
  });
});

test('every role RPC is NOT_FOUND without a guild, MISSING_ACCESS for a stranger; all but the list MISSING_PERMISSIONS', async () => {
  const { guild_id } = await addGuild(fixture);
  const [stranger, member] = [addAccount(fixture), await addMember(fixture, guild_id)];
  const role_id = await addRole(fixture, guild_id, 0n);
  const calls = (guild: string, account: string): Promise<unknown>[] => [
    fixture.chat.createRole({ guild_id: guild }, as(account)),
    update(guild, account, role_id, { name: 'x' }),
    fixture.chat.deleteRole({ guild_id: guild, role_id }, as(account)),
    move(guild, account, [{ id: role_id, position: 3 }]),
  ];
  const reasons = (guild: string, account: string) => Promise.all(calls(guild, account).map(reasonOf));
  expect(await reasons(newId(), member)).toEqual(Array(4).fill('NOT_FOUND'));
  expect(await reasons(guild_id, stranger)).toEqual(Array(4).fill('MISSING_ACCESS'));
  expect(await reasons(guild_id, member)).toEqual(Array(4).fill('MISSING_PERMISSIONS'));
  expect(await reasonOf(fixture.chat.listRoles({ guild_id: newId() }, as(member)))).toBe('NOT_FOUND');
  expect(await reasonOf(fixture.chat.listRoles({ guild_id }, as(stranger)))).toBe('MISSING_ACCESS');
  expect((await fixture.chat.listRoles({ guild_id }, as(member))).roles).toHaveLength(2);
});
