import { ALL_PERMISSIONS, Permission } from '@gatehouse/chat-client/permissions';
import { faultOf, reasonOf, violationsOf } from '@gatehouse/dev-env/faults';
import type { InstallBotRequest } from '@gatehouse/proto/chat';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AddedGuild,
  addAccount,
  addChannel,
  addGroupDm,
  addGuild,
  addMember,
  addRole,
  newId,
} from '../support/guilds.ts';
import { as, internally, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { stateOf } from '../support/state.ts';

const { ADMINISTRATOR, KICK_MEMBERS, MANAGE_GUILD, MANAGE_MESSAGES, MANAGE_ROLES, SEND_MESSAGES } =
  Permission;
const DEAD_PERMISSION = 1n << 62n;

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_install_bot', 2);
});
afterAll(() => fixture.close());

const install = (request: Partial<InstallBotRequest>, account: string, replica = 0) => {
  const chat = fixture.replicas[replica] ?? fixture.chat;
  return chat.installBot({ bot_id: newId(), application_name: 'Helper', ...request }, as(account));
};

/** A member with these permissions besides those of @everyone. */
async function memberWith(guild_id: string, permissions: bigint): Promise<string> {
  const holder = await addMember(fixture, guild_id);
  await addRole(fixture, guild_id, permissions, { holder });
  return holder;
}

type Caller = (home: AddedGuild) => string | Promise<string>;
const owner: Caller = (home) => home.owner;
const outsider: Caller = () => addAccount(fixture);
const holding =
  (permissions: bigint): Caller =>
  ({ guild_id }) =>
    memberWith(guild_id, permissions);

describe('in a guild', () => {
  test.each<[who: string, caller: Caller, requested: bigint | string | undefined, role: bigint]>([
    ['the owner', owner, KICK_MEMBERS, KICK_MEMBERS],
    ['the owner, with all permissions', owner, ALL_PERMISSIONS, ALL_PERMISSIONS],
    ['the owner, with unknown bits', owner, 2n ** 63n - 1n, ALL_PERMISSIONS],
    ['the owner, with unknown bits only', owner, DEAD_PERMISSION, 0n],
    ['the owner, without permissions', owner, '0', 0n],
    ['the owner, without the field permissions', owner, undefined, 0n],
    [
      'an administrator, with permissions that only administrators have',
      holding(ADMINISTRATOR),
      MANAGE_ROLES,
      MANAGE_ROLES,
    ],
    ['an administrator, with ADMINISTRATOR', holding(ADMINISTRATOR), ADMINISTRATOR, ADMINISTRATOR],
    ['a member with MANAGE_GUILD, without permissions', holding(MANAGE_GUILD), undefined, 0n],
    ['a member with MANAGE_GUILD, with it', holding(MANAGE_GUILD), MANAGE_GUILD, MANAGE_GUILD],
    [
      'a member with MANAGE_GUILD, with a permission of @everyone',
      holding(MANAGE_GUILD),
      SEND_MESSAGES,
      SEND_MESSAGES,
    ],
    [
      'a member with MANAGE_GUILD and more, with all of them',
      holding(MANAGE_GUILD | KICK_MEMBERS),
      MANAGE_GUILD | KICK_MEMBERS | SEND_MESSAGES | DEAD_PERMISSION,
      MANAGE_GUILD | KICK_MEMBERS | SEND_MESSAGES,
    ],
  ])('%s may install', async (_, caller, requested, mask) => {
    const home = await addGuild(fixture);
    const { guild_id } = home;
    await addRole(fixture, guild_id, 0n);
    await fixture.sql.query('UPDATE roles SET position = 7 WHERE guild_id = $1 AND id <> $1', [guild_id]);
    const account = await caller(home);
    const before = await stateOf(fixture, guild_id);
    const bot_id = newId();
    const { added, role_id } = await install(
      { bot_id, guild_id, permissions: requested?.toString(), reason: 'For%20%C3%A9l%C3%A8ves' },
      account,
    );

    expect(added).toBe(true);
    expect(role_id == null).toBe(mask === 0n);
    const after = await stateOf(fixture, guild_id);
    expect(after.member_count).toBe(before.member_count + 1);
    expect(after.members.filter(({ account_id }) => account_id === bot_id)).toMatchObject([
      { inviter_id: account, role_ids: mask === 0n ? [] : [role_id] },
    ]);
    const role = {
      id: role_id,
      name: 'Helper',
      color: 0x99aab5,
      position: 8,
      hoist: false,
      mentionable: false,
      permissions: String(mask),
    };
    const roles = mask === 0n ? [] : [role];
    expect(after.roles.filter(({ id }) => !before.roles.some((one) => one.id === id))).toEqual(roles);
    expect(after.events.slice(before.events.length)).toMatchObject([
      ...roles.map(() => ({ type: 'GUILD_ROLE_CREATE', account_ids: null, payload: { guild_id, role } })),
      {
        type: 'GUILD_MEMBER_ADD',
        account_ids: null,
        payload: { guild_id, member: { account_id: bot_id, role_ids: roles.map(({ id }) => id) } },
      },
      { type: 'GUILD_CREATE', account_ids: [bot_id], payload: { guild_id } },
    ]);
    const entry = { user_id: account, reason: 'For élèves' };
    expect(after.entries).toMatchObject([
      { ...entry, action_type: 28, target_id: bot_id, changes: [] },
      ...roles.flatMap(() => [
        {
          ...entry,
          action_type: 30,
          target_id: role_id,
          changes: [
            { key: 'name', new_value: 'Helper' },
            { key: 'color', new_value: 0x99aab5 },
            { key: 'position', new_value: 8 },
            { key: 'hoist', new_value: false },
            { key: 'mentionable', new_value: false },
            { key: 'permissions', new_value: String(mask) },
          ],
        },
        {
          ...entry,
          action_type: 25,
          target_id: bot_id,
          changes: [{ key: '$add', new_value: [{ id: role_id, name: 'Helper' }] }],
        },
      ]),
    ]);
  });

  test.each<
    [
      why: string,
      reason: string,
      caller: Caller,
      requested: bigint,
      prepare?: (home: AddedGuild) => Promise<void>,
    ]
  >([
    ['a stranger', 'MISSING_ACCESS', outsider, 0n],
    ['a plain member', 'MISSING_PERMISSIONS', holding(0n), 0n],
    [
      'a member with all permissions but MANAGE_GUILD',
      'MISSING_PERMISSIONS',
      holding(ALL_PERMISSIONS & ~MANAGE_GUILD & ~ADMINISTRATOR),
      0n,
    ],
    [
      'a member who lacks one of the permissions',
      'MISSING_PERMISSIONS',
      holding(MANAGE_GUILD | KICK_MEMBERS),
      KICK_MEMBERS | MANAGE_ROLES,
    ],
    [
      'a member who requests ADMINISTRATOR and has the rest',
      'MISSING_PERMISSIONS',
      holding(ALL_PERMISSIONS & ~ADMINISTRATOR),
      ADMINISTRATOR,
    ],
    [
      'the owner of a guild with 250 roles',
      'BAD_REQUEST',
      owner,
      KICK_MEMBERS,
      ({ guild_id }) => addRoles(guild_id, 249),
    ],
  ])('%s gets %s, and nothing changes', async (_why, reason, caller, requested, prepare) => {
    const home = await addGuild(fixture);
    const account = await caller(home);
    await prepare?.(home);
    const before = await stateOf(fixture, home.guild_id);
    const call = install({ guild_id: home.guild_id, permissions: String(requested) }, account);
    expect(await reasonOf(call)).toBe(reason);
    expect(await stateOf(fixture, home.guild_id)).toEqual(before);
  });

  test('a guild with 250 roles accepts a bot without permissions', async () => {
    const { guild_id, owner: account } = await addGuild(fixture);
    await addRoles(guild_id, 249);
    expect(await install({ guild_id }, account)).toMatchObject({ added: true, role_id: null });
  });

  test('an installed bot is BOT_ALREADY_IN_GUILD for members who may install', async () => {
    const home = await addGuild(fixture);
    const { guild_id } = home;
    const bot_id = newId();
    await install({ bot_id, guild_id }, home.owner);
    const plain = await addMember(fixture, guild_id);
    const before = await stateOf(fixture, guild_id);
    const again = (account: string) => install({ bot_id, guild_id, permissions: '2' }, account);
    expect(await reasonOf(again(home.owner))).toBe('BOT_ALREADY_IN_GUILD');
    expect(await reasonOf(again(plain))).toBe('MISSING_PERMISSIONS');
    expect(await stateOf(fixture, guild_id)).toEqual(before);
  });

  test('the bot has its role’s permissions in the guild and its channels', async () => {
    const { guild_id, general, owner: account } = await addGuild(fixture);
    const { message } = await fixture.chat.createMessage(messageOf(general, 'Hello'), as(account));
    const user_id = await addMember(fixture, guild_id);
    const [plain, able] = [newId(), newId()];
    await install({ bot_id: plain, guild_id }, account);
    const permissions = String(KICK_MEMBERS | MANAGE_MESSAGES);
    await install({ bot_id: able, guild_id, permissions }, account);
    const kick = (bot: string) => fixture.chat.removeMember({ guild_id, user_id }, as(bot));
    const remove = (bot: string) =>
      fixture.chat.deleteMessage({ channel_id: general, message_id: message?.id ?? '' }, as(bot));
    for (const call of [kick, remove]) {
      expect(await reasonOf(call(plain))).toBe('MISSING_PERMISSIONS');
      await expect(call(able)).resolves.toBeDefined();
    }
  });

  test('the role has the first 100 characters of the application’s name', async () => {
    const { guild_id, owner: account } = await addGuild(fixture);
    for (const [application_name, name] of [
      ['🤖'.repeat(101), '🤖'.repeat(100)],
      [`  ${'x'.repeat(99)} y`, 'x'.repeat(99)],
    ] as const) {
      const { role_id } = await install({ guild_id, application_name, permissions: '2' }, account);
      const { roles } = await stateOf(fixture, guild_id);
      expect(roles.find(({ id }) => id === role_id)?.name).toBe(name);
    }
  });
});

describe('in a group DM', () => {
  test('the bot becomes a recipient, with events and a message', async () => {
    const [opener, other] = [addAccount(fixture), addAccount(fixture)];
    const channel_id = await addGroupDm(fixture, [opener, other]);
    const bot_id = newId();
    expect(await install({ channel_id, bot_id }, other)).toEqual({ added: true, role_id: null });
    const { recipient_ids, recipients, messages, events } = await stateOf(fixture, channel_id);
    expect(recipient_ids).toEqual([opener, other, bot_id]);
    expect(recipients).toEqual([opener, other, bot_id].sort());
    expect(messages).toMatchObject([{ type: 1, author_id: other, mention_ids: [bot_id] }]);
    expect(events).toMatchObject([
      { type: 'CHANNEL_RECIPIENT_ADD', account_ids: [opener, other], payload: { account_id: bot_id } },
      { type: 'CHANNEL_CREATE', account_ids: [bot_id], payload: { id: channel_id } },
      { type: 'MESSAGE_CREATE', account_ids: [opener, other, bot_id], payload: { type: 1 } },
    ]);
  });

  test('an installed bot stays as it is', async () => {
    const [opener, bot_id] = [addAccount(fixture), newId()];
    const channel_id = await addGroupDm(fixture, [opener, bot_id]);
    const before = await stateOf(fixture, channel_id);
    expect(await install({ channel_id, bot_id }, opener)).toEqual({ added: false, role_id: null });
    expect(await stateOf(fixture, channel_id)).toEqual(before);
  });

  test.each<[why: string, reason: string, channel: (account: string) => Promise<string>]>([
    ['a stranger', 'MISSING_ACCESS', () => addGroupDm(fixture, [newId(), newId()])],
    [
      'a recipient of a full group DM',
      'BAD_REQUEST',
      (account) => addGroupDm(fixture, [account, ...nobodies(9)]),
    ],
    ['a recipient, for a DM', 'BAD_REQUEST', (account) => addGroupDm(fixture, [account, newId()], 1)],
    ['a stranger, for a DM', 'MISSING_ACCESS', () => addGroupDm(fixture, [newId(), newId()], 1)],
    ['a member, for a guild’s channel', 'BAD_REQUEST', channelOfOwn],
    ['a stranger, for a guild’s channel', 'MISSING_ACCESS', () => channelOfOwn(addAccount(fixture))],
  ])('%s gets %s, and nothing changes', async (_why, reason, channel) => {
    const account = addAccount(fixture);
    const channel_id = await channel(account);
    const before = await stateOf(fixture, channel_id);
    expect(await reasonOf(install({ channel_id }, account))).toBe(reason);
    expect(await stateOf(fixture, channel_id)).toEqual(before);
  });
});

describe('sixteen concurrent installations at two replicas', () => {
  const sixteen = async (call: (index: number) => Promise<{ added: boolean }>) => {
    const ended = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        call(index).then(
          ({ added }) => (added ? 'added' : 'unchanged'),
          (error) => error.reason,
        ),
      ),
    );
    return Object.fromEntries(
      [...new Set(ended)].map((one) => [one, ended.filter((end) => end === one).length]),
    );
  };

  test('of one bot in a guild: one call installs it, and fifteen get BOT_ALREADY_IN_GUILD', async () => {
    const { guild_id, owner: account } = await addGuild(fixture);
    const request = { bot_id: newId(), guild_id, permissions: '2' };
    const before = await stateOf(fixture, guild_id);
    expect(await sixteen((index) => install(request, account, index % 2))).toEqual({
      added: 1,
      BOT_ALREADY_IN_GUILD: 15,
    });
    const after = await stateOf(fixture, guild_id);
    expect(after.member_count).toBe(2);
    expect(after.members).toHaveLength(2);
    expect(after.roles).toHaveLength(2);
    expect(after.entries).toHaveLength(3);
    expect(after.events).toHaveLength(before.events.length + 3);
  });

  test('of sixteen bots for the last role: one bot gets it, and fifteen are refused and do not join', async () => {
    const { guild_id, owner: account } = await addGuild(fixture);
    await addRoles(guild_id, 248);
    expect(await sixteen((index) => install({ guild_id, permissions: '2' }, account, index % 2))).toEqual({
      added: 1,
      BAD_REQUEST: 15,
    });
    const after = await stateOf(fixture, guild_id);
    expect(after.roles).toHaveLength(250);
    expect(after.members).toHaveLength(2);
    expect(after.member_count).toBe(2);
  });

  test('of sixteen bots in a guild: each gets a role above the earlier ones', async () => {
    const { guild_id, owner: account } = await addGuild(fixture);
    await sixteen((index) => install({ guild_id, permissions: '2' }, account, index % 2));
    const { roles } = await stateOf(fixture, guild_id);
    expect(roles.map(({ position }) => position).sort((a, b) => a - b)).toEqual([...Array(17).keys()]);
  });

  test('of one bot in a group DM: one call adds it, with one message', async () => {
    const account = addAccount(fixture);
    const channel_id = await addGroupDm(fixture, [account, newId()]);
    const bot_id = newId();
    expect(await sixteen((index) => install({ bot_id, channel_id }, account, index % 2))).toEqual({
      added: 1,
      unchanged: 15,
    });
    expect((await stateOf(fixture, channel_id)).messages).toHaveLength(1);
  });

  test('of sixteen bots for the last slot of a group DM: one bot gets it', async () => {
    const account = addAccount(fixture);
    const channel_id = await addGroupDm(fixture, [account, ...nobodies(8)]);
    expect(await sixteen((index) => install({ channel_id }, account, index % 2))).toEqual({
      added: 1,
      BAD_REQUEST: 15,
    });
    expect((await stateOf(fixture, channel_id)).recipient_ids).toHaveLength(10);
  });
});

describe('an installation request', () => {
  test('must name one existing guild or channel', async () => {
    const { guild_id, general, owner: account } = await addGuild(fixture);
    expect(await reasonOf(install({}, account))).toBe('BAD_REQUEST');
    expect(await reasonOf(install({ guild_id, channel_id: general }, account))).toBe('BAD_REQUEST');
    for (const unknown of [newId(), String(2n ** 63n - 1n)]) {
      expect(await reasonOf(install({ guild_id: unknown }, account))).toBe('NOT_FOUND');
      expect(await reasonOf(install({ channel_id: unknown }, account))).toBe('NOT_FOUND');
    }
  });

  test('is checked before anything is read', async () => {
    const unknown = { guild_id: newId() };
    const violations = (request: Partial<InstallBotRequest>) =>
      violationsOf(install({ ...unknown, ...request }, addAccount(fixture)));
    for (const permissions of ['-1', '', ' 2', '0x2', '02', '1.5', String(2n ** 63n), String(2n ** 64n)]) {
      expect(await violations({ permissions })).toEqual(['permissions INVALID_FORMAT']);
    }
    expect(await violations({ bot_id: '0x1', application_name: ' ' })).toEqual([
      'bot_id INVALID_SNOWFLAKE_FORMAT',
      'application_name STRING_LENGTH_INVALID',
    ]);
    expect(await violations({ application_name: 'a\0b' })).toEqual(['application_name INVALID_FORMAT']);
    expect(await violations({ reason: '100%' })).toEqual(['X-Audit-Log-Reason INVALID_FORMAT']);
    expect(await violations({ reason: encodeURIComponent('é'.repeat(513)) })).toEqual([
      'X-Audit-Log-Reason STRING_LENGTH_INVALID',
    ]);
  });

  test('requires a caller', async () => {
    const call = fixture.chat.installBot(
      { bot_id: newId(), application_name: 'x', guild_id: newId() },
      internally,
    );
    expect((await faultOf(call)).reason).toBe('UNAUTHORIZED');
  });
});

function nobodies(count: number): string[] {
  return Array.from({ length: count }, newId);
}

/** Adds this many roles to the guild. */
async function addRoles(guild_id: string, count: number): Promise<void> {
  await fixture.sql.query(
    `INSERT INTO roles (id, guild_id, name, position)
     SELECT unnest($2::bigint[]), $1, 'role', 1`,
    [guild_id, nobodies(count)],
  );
}

/** A channel of a guild owned by the account. */
async function channelOfOwn(account: string): Promise<string> {
  const { guild } = await fixture.chat.createGuild({ name: 'Guild' }, as(account));
  return addChannel(fixture, guild?.id ?? '', 0);
}
