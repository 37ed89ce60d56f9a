import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL_PERMISSIONS, Permission } from '@gatehouse/chat-client/permissions';
import { ChatServiceDefinition } from '@gatehouse/proto/chat';
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
import { as, internally, messageOf } from '../support/requests.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';
import { stateOf } from '../support/state.ts';

const { ADMINISTRATOR, VIEW_CHANNEL } = Permission;

let fixture: ChatFixture;
beforeAll(async () => {
  fixture = await startChat('chat_required_permissions');
});
afterAll(() => fixture.close());

/** A guild in which @everyone may view channels, and nothing else. */
interface PreparedGuild {
  readonly guild_id: string;
  readonly owner: string;
  readonly channel_id: string;
  /** A message by the owner. */
  readonly message_id: string;
  /** An invite by the owner. */
  readonly code: string;
  /** Without a role. */
  readonly user_id: string;
  /** The lowest role, without permissions; `holder` has it. */
  readonly role_id: string;
  readonly holder: string;
}

async function newGuild(): Promise<PreparedGuild> {
  const { guild_id, owner, general: channel_id } = await addGuild(fixture);
  const { message } = await fixture.chat.createMessage(messageOf(channel_id, 'Hello'), as(owner));
  const { invite } = await fixture.chat.createInvite({ channel_id }, as(owner));
  const everyone = { guild_id, role_id: guild_id, permissions: String(VIEW_CHANNEL) };
  await fixture.chat.updateRole(everyone, as(owner));
  const user_id = await addMember(fixture, guild_id);
  const holder = await addMember(fixture, guild_id);
  const role_id = await addRole(fixture, guild_id, 0n, { holder });
  await addOverwrite(fixture, channel_id, { id: role_id, type: 0 });
  const [message_id, code] = [message?.id ?? '', invite?.code ?? ''];
  return { guild_id, owner, channel_id, message_id, code, user_id, role_id, holder };
}

/** A member above all others but the owner, with these permissions and those of @everyone. */
async function memberWith({ guild_id }: PreparedGuild, bits: bigint): Promise<string> {
  const holder = await addMember(fixture, guild_id);
  await addRole(fixture, guild_id, bits, { holder, position: 9 });
  return holder;
}

type Name = keyof typeof ChatServiceDefinition.methods;
type Call = (home: PreparedGuild, options: ReturnType<typeof as>) => Promise<unknown>;

const NO_PROFILE = { avatar: null, banner: null, bio: null, pronouns: null, accent_color: null };

/** The permission required by each RPC that changes a guild or shows data that not all members may see. */
const NEEDS: readonly (readonly [Name, keyof typeof Permission, Call])[] = [
  [
    'updateGuild',
    'MANAGE_GUILD',
    ({ guild_id }, o) => fixture.chat.updateGuild({ guild_id, name: 'Other', icon: null }, o),
  ],
  [
    'createChannel',
    'MANAGE_CHANNELS',
    ({ guild_id }, o) => fixture.chat.createChannel({ guild_id, name: 'new', permission_overwrites: [] }, o),
  ],
  [
    'updateChannel',
    'MANAGE_CHANNELS',
    ({ channel_id }, o) =>
      fixture.chat.updateChannel({ channel_id, name: 'other', topic: null, parent_id: null }, o),
  ],
  ['deleteChannel', 'MANAGE_CHANNELS', ({ channel_id }, o) => fixture.chat.deleteChannel({ channel_id }, o)],
  [
    'updateChannelPositions',
    'MANAGE_CHANNELS',
    ({ guild_id, channel_id: id }, o) =>
      fixture.chat.updateChannelPositions({ guild_id, positions: [{ id, position: 3 }] }, o),
  ],
  [
    'putOverwrite',
    'MANAGE_ROLES',
    ({ channel_id, user_id }, o) =>
      fixture.chat.putOverwrite(
        { channel_id, overwrite_id: user_id, type: 1, deny: String(VIEW_CHANNEL) },
        o,
      ),
  ],
  [
    'deleteOverwrite',
    'MANAGE_ROLES',
    ({ channel_id, role_id }, o) => fixture.chat.deleteOverwrite({ channel_id, overwrite_id: role_id }, o),
  ],
  [
    'createRole',
    'MANAGE_ROLES',
    ({ guild_id }, o) => fixture.chat.createRole({ guild_id, permissions: '0' }, o),
  ],
  [
    'updateRole',
    'MANAGE_ROLES',
    ({ guild_id, role_id }, o) => fixture.chat.updateRole({ guild_id, role_id, name: 'other' }, o),
  ],
  [
    'deleteRole',
    'MANAGE_ROLES',
    ({ guild_id, role_id }, o) => fixture.chat.deleteRole({ guild_id, role_id }, o),
  ],
  [
    'updateRolePositions',
    'MANAGE_ROLES',
    ({ guild_id, role_id: id }, o) =>
      fixture.chat.updateRolePositions({ guild_id, positions: [{ id, position: 3 }] }, o),
  ],
  [
    'updateOwnMember',
    'CHANGE_NICKNAME',
    ({ guild_id }, o) =>
      fixture.chat.updateOwnMember({ guild_id, nick: { value: 'Nick' }, ...NO_PROFILE }, o),
  ],
  [
    'updateMember',
    'MANAGE_NICKNAMES',
    ({ guild_id, user_id }, o) =>
      fixture.chat.updateMember({ guild_id, user_id, nick: { value: 'Nick' } }, o),
  ],
  [
    'updateMember',
    'MANAGE_ROLES',
    ({ guild_id, user_id, role_id }, o) =>
      fixture.chat.updateMember({ guild_id, user_id, nick: null, roles: { items: [role_id] } }, o),
  ],
  [
    'removeMember',
    'KICK_MEMBERS',
    ({ guild_id, user_id }, o) => fixture.chat.removeMember({ guild_id, user_id }, o),
  ],
  [
    'addMemberRole',
    'MANAGE_ROLES',
    ({ guild_id, user_id, role_id }, o) => fixture.chat.addMemberRole({ guild_id, user_id, role_id }, o),
  ],
  [
    'removeMemberRole',
    'MANAGE_ROLES',
    ({ guild_id, holder, role_id }, o) =>
      fixture.chat.removeMemberRole({ guild_id, user_id: holder, role_id }, o),
  ],
  [
    'createInvite',
    'CREATE_INSTANT_INVITE',
    ({ channel_id }, o) => fixture.chat.createInvite({ channel_id }, o),
  ],
  ['listInvites', 'MANAGE_CHANNELS', ({ channel_id }, o) => fixture.chat.listInvites({ channel_id }, o)],
  [
    'deleteMessage',
    'MANAGE_MESSAGES',
    ({ channel_id, message_id }, o) => fixture.chat.deleteMessage({ channel_id, message_id }, o),
  ],
  ['listAuditLog', 'VIEW_AUDIT_LOG', ({ guild_id }, o) => fixture.chat.listAuditLog({ guild_id }, o)],
  ['listGuildBots', 'MANAGE_GUILD', ({ guild_id }, o) => fixture.chat.listGuildBots({ guild_id }, o)],
  [
    'installBot',
    'MANAGE_GUILD',
    ({ guild_id }, o) => fixture.chat.installBot({ bot_id: newId(), application_name: 'Bot', guild_id }, o),
  ],
];
const IN_A_CHANNEL_NAMES: readonly Name[] = [
  'updateChannel',
  'deleteChannel',
  'putOverwrite',
  'deleteOverwrite',
  'createInvite',
  'listInvites',
  'deleteMessage',
];
const READ_ONLY: readonly Name[] = ['listInvites', 'listAuditLog', 'listGuildBots'];
/** RPCs whose permission is checked in the channel, not in the guild. */
const IN_A_CHANNEL = NEEDS.filter(([name]) => IN_A_CHANNEL_NAMES.includes(name));

const CALLERS: readonly (readonly [
  string,
  string,
  (home: PreparedGuild, needed: bigint) => string | Promise<string>,
])[] = [
  ['a stranger', 'MISSING_ACCESS', () => addAccount(fixture)],
  ['a plain member', 'MISSING_PERMISSIONS', (home) => memberWith(home, 0n)],
  [
    'a member with all other permissions',
    'MISSING_PERMISSIONS',
    (home, bit) => memberWith(home, ALL_PERMISSIONS & ~bit & ~ADMINISTRATOR),
  ],
  ['a member with only that permission', 'done', memberWith],
  ['an administrator', 'done', (home) => memberWith(home, ADMINISTRATOR)],
  ['the owner', 'done', ({ owner }) => owner],
];

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error) => error.reason,
  );

test('every other RPC has a test of its own rules', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const listed: readonly string[] = NEEDS.map(([name]) => name);
  const untested = Object.keys(ChatServiceDefinition.methods).filter(
    (name) => !listed.includes(name) && !tests.some((text) => text.includes(`.${name}(`)),
  );
  expect(untested).toEqual([]);
});

describe.each(NEEDS)('%s needs %s', (name, needed, call) => {
  test.each(CALLERS)('%s: %s', async (_who, outcome, callerOf) => {
    const home = await newGuild();
    const caller = await callerOf(home, Permission[needed]);
    const before = await stateOf(fixture, home.guild_id);
    expect(await outcomeOf(call(home, as(caller)))).toBe(outcome);
    const after = await stateOf(fixture, home.guild_id);
    if (outcome === 'done' && !READ_ONLY.includes(name)) expect(after.events).not.toEqual(before.events);
    else expect(after).toEqual(before);
  });

  test('is refused in a disabled guild if it changes something', async () => {
    const home = await newGuild();
    const caller = await memberWith(home, Permission[needed]);
    await fixture.admin.disableGuild(
      { guild_id: home.guild_id, operator: 'ada', reason: 'Spam.' },
      internally,
    );
    const before = await stateOf(fixture, home.guild_id);
    expect(await outcomeOf(call(home, as(caller)))).toBe(
      READ_ONLY.includes(name) ? 'done' : 'GUILD_DISABLED',
    );
    expect(await stateOf(fixture, home.guild_id)).toEqual(before);
    expect(await outcomeOf(call(home, as(addAccount(fixture))))).toBe('MISSING_ACCESS');
  });

  test('is NOT_FOUND in a guild that does not exist', async () => {
    const home = await newGuild();
    const nowhere = { ...home, guild_id: newId(), channel_id: newId() };
    expect(await outcomeOf(call(nowhere, as(home.owner)))).toBe('NOT_FOUND');
  });
});

describe.each(IN_A_CHANNEL)('%s with %s, for a channel', (_, name, call) => {
  const needed = Permission[name];
  test('requires its permission there: an overwrite gives it and takes it away', async () => {
    const home = await newGuild();
    const [given, taken] = [await memberWith(home, 0n), await memberWith(home, needed)];
    await addOverwrite(fixture, home.channel_id, { id: taken, type: 1, deny: needed });
    await addOverwrite(fixture, home.channel_id, { id: given, type: 1, allow: needed });
    expect(await outcomeOf(call(home, as(taken)))).toBe('MISSING_PERMISSIONS');
    expect(await outcomeOf(call(home, as(given)))).toBe('done');
  });

  test('is MISSING_ACCESS without VIEW_CHANNEL, whatever else is allowed', async () => {
    const home = await newGuild();
    const channel_id = await addChannel(fixture, home.guild_id, 0);
    await addOverwrite(fixture, channel_id, { id: home.guild_id, type: 0, deny: VIEW_CHANNEL });
    const caller = await memberWith(home, ALL_PERMISSIONS & ~ADMINISTRATOR & ~VIEW_CHANNEL);
    expect(await outcomeOf(call({ ...home, channel_id }, as(caller)))).toBe('MISSING_ACCESS');
  });

  test('is MISSING_ACCESS for a stranger, whatever an overwrite allows', async () => {
    const home = await newGuild();
    const outsider = addAccount(fixture);
    await addOverwrite(fixture, home.channel_id, { id: outsider, type: 1, allow: ALL_PERMISSIONS });
    expect(await outcomeOf(call(home, as(outsider)))).toBe('MISSING_ACCESS');
  });
});
