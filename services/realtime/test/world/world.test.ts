import { Permission } from '@gatehouse/chat-client/permissions';
import { describe, expect, it, test } from 'vitest';
import type { LogEvent } from '../../src/world/event.ts';
import { memberRowIn } from '../../src/world/members.ts';
import { channelsVisibleTo } from '../../src/world/views.ts';
import { privateChannelsOf, rolesOf, World } from '../../src/world/world.ts';
import { receivedEvents } from './received-events.ts';
import {
  accountState,
  channel,
  guildRow,
  guildState,
  logEvent,
  member,
  overwrite,
  type PlainGuild,
  role,
} from './rows.ts';

const { VIEW_CHANNEL: VIEW, MANAGE_CHANNELS: MANAGE, ADMINISTRATOR } = Permission;
const OWNER = '1';
const STAFF = '2';
const PLAIN = '3';
/** Has a member overwrite in 111. */
const GUEST = '4';
const STRANGER = '5';
const ALL = [OWNER, STAFF, PLAIN, GUEST, STRANGER];

const HIDDEN = channel('111', '100', {
  position: 1,
  permission_overwrites: [
    overwrite('100', 0, 0n, VIEW),
    overwrite('101', 0, VIEW, 0n),
    overwrite(GUEST, 1, VIEW, 0n),
  ],
});
/** Before 111, although it is newer. */
const STAFF_ONLY = channel('112', '100', {
  type: 4,
  permission_overwrites: [overwrite('100', 0, 0n, VIEW), overwrite('101', 0, VIEW, 0n)],
});
const GUILD: PlainGuild = {
  row: guildRow('100', OWNER, { member_count: 4 }),
  roles: [role('100', VIEW), role('101', MANAGE, 1)],
  channels: [channel('110', '100', { position: 2 }), HIDDEN, STAFF_ONLY],
  members: [member(OWNER), member(STAFF, ['101']), member(PLAIN), member(GUEST)],
};
const DIRECT = channel('300', null, { recipient_ids: [STAFF, PLAIN] });
const GROUP = channel('301', null, { type: 3, owner_id: OWNER, recipient_ids: [OWNER, STAFF, PLAIN] });

const inGuild = (type: string, payload: object = {}): LogEvent =>
  logEvent(type, { guild_id: '100', ...payload }, { guild_id: '100' });
const about = (type: string, row = HIDDEN): LogEvent =>
  logEvent(type, row, { guild_id: '100', channel_id: row.id });
const inPrivate = (type: string, row: typeof GROUP, account_ids: readonly string[], payload: object = row) =>
  logEvent(type, payload, { channel_id: row.id, account_ids });
const toOne = (type: string, account: string): LogEvent =>
  logEvent(type, { guild_id: '100' }, { guild_id: '100', account_ids: [account] });

function begin(): World<string> {
  const world = new World<string>();
  world.addGuild(guildState(GUILD, []));
  const open: Record<string, (typeof GROUP)[]> = {
    [OWNER]: [GROUP],
    [STAFF]: [DIRECT, GROUP],
    [PLAIN]: [DIRECT, GROUP],
  };
  for (const id of ALL) world.addAccount(accountState(id, [GUILD], open[id]));
  return world;
}

const received = (accounts: readonly string[], ...what: readonly string[]) =>
  Object.fromEntries(accounts.map((id) => [id, what]));
const MEMBERS = received([OWNER, STAFF, PLAIN, GUEST], 'event');
const VIEWERS = received([OWNER, STAFF, GUEST], 'event');
const SHOWN = ['channel_shown 112', 'channel_shown 111'];
const LOST = ['channel_hidden 112', 'channel_hidden 111'];

type Row = readonly [what: string, event: LogEvent, expected: Readonly<Record<string, readonly string[]>>];

const ROWS: readonly Row[] = [
  ['GUILD_UPDATE: the guild', logEvent('GUILD_UPDATE', GUILD.row, { guild_id: '100' }), MEMBERS],
  [
    'GUILD_UPDATE of the owner: the guild, then accounts that gained and lost all views',
    logEvent('GUILD_UPDATE', guildRow('100', PLAIN), { guild_id: '100' }),
    { ...MEMBERS, [OWNER]: ['event', ...LOST], [PLAIN]: ['event', ...SHOWN] },
  ],
  ['GUILD_DELETE: the guild', inGuild('GUILD_DELETE'), MEMBERS],
  ['GUILD_DELETE: an account that left', toOne('GUILD_DELETE', PLAIN), received([PLAIN], 'event')],
  ['GUILD_CREATE: a member', toOne('GUILD_CREATE', PLAIN), received([PLAIN], 'guild_created 100')],
  ['GUILD_CREATE: not an account whose member is unknown', toOne('GUILD_CREATE', STRANGER), {}],
  ['GUILD_ROLE_CREATE: the guild', inGuild('GUILD_ROLE_CREATE', { role: role('109', VIEW) }), MEMBERS],
  [
    'GUILD_ROLE_UPDATE without a change of views: the guild',
    inGuild('GUILD_ROLE_UPDATE', { role: role('101', 0n, 5) }),
    MEMBERS,
  ],
  [
    'GUILD_ROLE_UPDATE of @everyone: the guild, then accounts that gained the view',
    inGuild('GUILD_ROLE_UPDATE', { role: role('100', ADMINISTRATOR) }),
    { ...MEMBERS, [PLAIN]: ['event', ...SHOWN], [GUEST]: ['event', 'channel_shown 112'] },
  ],
  [
    'GUILD_ROLE_UPDATE of @everyone: the guild, then accounts that lost the view of 110',
    inGuild('GUILD_ROLE_UPDATE', { role: role('100', 0n) }),
    {
      [OWNER]: ['event'],
      ...received([STAFF, PLAIN, GUEST], 'event', 'channel_hidden 110'),
    },
  ],
  [
    'GUILD_ROLE_DELETE: the guild, then holders that lost a view; no events of members',
    inGuild('GUILD_ROLE_DELETE', { role_id: '101' }),
    { ...MEMBERS, [STAFF]: ['event', ...LOST] },
  ],
  [
    'GUILD_MEMBER_ADD: the others',
    inGuild('GUILD_MEMBER_ADD', { member: member(STRANGER), member_count: 5 }),
    MEMBERS,
  ],
  [
    'GUILD_MEMBER_UPDATE: the guild, then the member for the views it gained',
    inGuild('GUILD_MEMBER_UPDATE', { member: member(PLAIN, ['101']) }),
    { ...MEMBERS, [PLAIN]: ['event', ...SHOWN] },
  ],
  [
    'GUILD_MEMBER_UPDATE of a member with a member overwrite, which takes precedence',
    inGuild('GUILD_MEMBER_UPDATE', { member: member(GUEST, ['101']) }),
    { ...MEMBERS, [GUEST]: ['event', 'channel_shown 112'] },
  ],
  [
    'GUILD_MEMBER_UPDATE of the owner: its roles affect no view',
    inGuild('GUILD_MEMBER_UPDATE', { member: member(OWNER, ['101']) }),
    MEMBERS,
  ],
  [
    'GUILD_MEMBER_UPDATE of an account that is not followed: the guild',
    inGuild('GUILD_MEMBER_UPDATE', { member: member('999', ['101']) }),
    MEMBERS,
  ],
  [
    'GUILD_MEMBER_REMOVE: the others',
    inGuild('GUILD_MEMBER_REMOVE', { account_id: STAFF, member_count: 3 }),
    received([OWNER, PLAIN, GUEST], 'event'),
  ],
  ['WEBHOOKS_UPDATE: the guild', inGuild('WEBHOOKS_UPDATE', { channel_id: '111' }), MEMBERS],
  ['CHANNEL_CREATE: its viewers', about('CHANNEL_CREATE', { ...HIDDEN, id: '119' }), VIEWERS],
  ['CHANNEL_UPDATE: its viewers', about('CHANNEL_UPDATE', { ...HIDDEN, topic: 't' }), VIEWERS],
  [
    'CHANNEL_UPDATE of overwrites: accounts that keep the view; those that gained or lost it get another event instead',
    about('CHANNEL_UPDATE', {
      ...HIDDEN,
      permission_overwrites: [overwrite('101', 0, 0n, VIEW), overwrite(OWNER, 1, 0n, VIEW)],
    }),
    {
      ...received([OWNER, GUEST], 'event'),
      [PLAIN]: ['channel_shown 111'],
      [STAFF]: ['channel_hidden 111'],
    },
  ],
  ['CHANNEL_DELETE: its former viewers', about('CHANNEL_DELETE'), VIEWERS],
  ...['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE'].map(
    (type): Row => [
      `${type}: the channel's viewers`,
      logEvent(type, { id: '9' }, { guild_id: '100', channel_id: '111' }),
      VIEWERS,
    ],
  ),
  ...['INVITE_CREATE', 'INVITE_DELETE'].map(
    (type): Row => [
      `${type}: members with MANAGE_CHANNELS there`,
      about(type),
      received([OWNER, STAFF], 'event'),
    ],
  ),
  ...['CHANNEL_CREATE', 'CHANNEL_UPDATE', 'CHANNEL_DELETE'].map(
    (type): Row => [
      `${type} of a private channel: the named accounts`,
      inPrivate(type, DIRECT, [PLAIN, '999']),
      received([PLAIN], 'event'),
    ],
  ),
  ...['CHANNEL_RECIPIENT_ADD', 'CHANNEL_RECIPIENT_REMOVE'].map(
    (type): Row => [
      `${type}: the named accounts`,
      inPrivate(type, GROUP, [OWNER, STAFF], { channel_id: '301', account_id: GUEST }),
      received([OWNER, STAFF], 'event'),
    ],
  ),
  ...['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE'].map(
    (type): Row => [
      `${type} in a private channel: its recipients`,
      inPrivate(type, DIRECT, DIRECT.recipient_ids, { id: '9' }),
      received([STAFF, PLAIN], 'event'),
    ],
  ),
];

test.each(ROWS)('%s', (_, event, expected) => {
  expect(receivedEvents(begin(), event, ALL)).toEqual({ ...received(ALL), ...expected });
});

test.each([
  ['an unknown type', inGuild('TYPING_START')],
  ['a type that is a name in JavaScript', inGuild('constructor')],
  ['an unknown type for accounts', toOne('toString', PLAIN)],
  ['nobody concerned', logEvent('MESSAGE_CREATE', { id: '9' })],
  ['a guild that is not followed', logEvent('GUILD_UPDATE', guildRow('7', '1'), { guild_id: '7' })],
  ['an unknown channel', logEvent('MESSAGE_CREATE', { id: '9' }, { guild_id: '100', channel_id: '8' })],
  ['a message without an ID', logEvent('MESSAGE_CREATE', 7, { guild_id: '100', channel_id: '110' })],
  ['a guild without an owner', logEvent('GUILD_UPDATE', { id: '100' }, { guild_id: '100' })],
  ['a role without permissions', inGuild('GUILD_ROLE_UPDATE', { role: { id: '100', position: 0 } })],
  [
    'permissions that are not a number',
    inGuild('GUILD_ROLE_UPDATE', { role: { ...GUILD.roles[0], permissions: 'x' } }),
  ],
  ['a deleted role without an ID', inGuild('GUILD_ROLE_DELETE')],
  ['@everyone deleted', inGuild('GUILD_ROLE_DELETE', { role_id: '100' })],
  [
    'a member without roles',
    inGuild('GUILD_MEMBER_UPDATE', { member: { account_id: PLAIN, joined_at: '' } }),
  ],
  ['nobody added', inGuild('GUILD_MEMBER_ADD', { member: null })],
  ['nobody removed', inGuild('GUILD_MEMBER_REMOVE')],
  [
    'a channel without overwrites',
    about('CHANNEL_UPDATE', { ...HIDDEN, permission_overwrites: [7 as never] }),
  ],
  ['a private channel that is invalid', inPrivate('CHANNEL_CREATE', DIRECT, [PLAIN], [])],
  ['no payload', logEvent('CHANNEL_UPDATE', undefined, { account_ids: [PLAIN], channel_id: '300' })],
  ['a recipient without an ID', inPrivate('CHANNEL_RECIPIENT_ADD', GROUP, [OWNER], {})],
])('delivers nothing and changes nothing for %s', (_, event) => {
  const world = begin();
  expect(world.apply(event)).toEqual([]);
  expect(world.guild('100')?.row).toEqual(GUILD.row);
  expect(ALL.map((id) => visible(world, id))).toEqual(ALL.map((id) => visible(begin(), id)));
  expect(world.size()).toEqual(begin().size());
});

describe('an account', () => {
  it('that joins gets GUILD_CREATE and not its own GUILD_MEMBER_ADD', () => {
    const world = begin();
    const joined = inGuild('GUILD_MEMBER_ADD', { member: member(STRANGER, ['101']), member_count: 5 });
    expect(world.missingGuild(joined)).toBeUndefined();
    expect(receivedEvents(world, joined, [STRANGER])).toEqual({ [STRANGER]: [] });
    expect(world.missingGuild(toOne('GUILD_CREATE', STRANGER))).toBeUndefined();
    expect(receivedEvents(world, toOne('GUILD_CREATE', STRANGER), ALL)).toEqual({
      ...received(ALL),
      [STRANGER]: ['guild_created 100'],
    });
    expect(visible(world, STRANGER)).toEqual(['112', '111', '110']);
    expect(world.guild('100')?.row.member_count).toBe(5);
  });

  it('that leaves gets GUILD_DELETE and not its own GUILD_MEMBER_REMOVE', () => {
    const world = begin();
    const left = inGuild('GUILD_MEMBER_REMOVE', { account_id: STAFF, member_count: 3 });
    expect(receivedEvents(world, left, [STAFF])).toEqual({ [STAFF]: [] });
    expect(receivedEvents(world, toOne('GUILD_DELETE', STAFF), ALL)).toEqual({
      ...received(ALL),
      [STAFF]: ['event'],
    });
    expect(world.account(STAFF)?.guilds.size).toBe(0);
    expect(receivedEvents(world, about('MESSAGE_UPDATE'), ALL)).toEqual({
      ...received(ALL),
      ...received([OWNER, GUEST], 'event'),
    });
  });

  it('that created a guild lacks it, and gets GUILD_CREATE once it is added', () => {
    const world = begin();
    const made = logEvent('GUILD_CREATE', { guild_id: '200' }, { guild_id: '200', account_ids: [STRANGER] });
    expect(world.missingGuild(made)).toBe('200');
    expect(world.missingGuild({ ...made, account_ids: ['999'] })).toBeUndefined();
    const { channels: _, ...rest } = GUILD;
    const guild = { ...rest, row: guildRow('200', STRANGER), channels: [], members: [member(STRANGER)] };
    world.addGuild(guildState(guild, [STRANGER]));
    expect(world.missingGuild(made)).toBeUndefined();
    expect(receivedEvents(world, made, [STRANGER])).toEqual({ [STRANGER]: ['guild_created 200'] });
  });

  it('has each guild and channel once, and its guilds are removed with it', () => {
    const world = begin();
    expect(world.size()).toEqual({ guilds: 1, accounts: 5, channels: 3 + 5 });
    expect(world.addAccount(accountState(STAFF, []))).toBe(world.account(STAFF));
    for (const id of [OWNER, STAFF, PLAIN]) world.removeAccount(id);
    expect(world.guild('100')?.members.size).toBe(1);
    world.removeAccount(GUEST);
    world.removeAccount(STRANGER);
    expect(world.size()).toEqual({ guilds: 0, accounts: 0, channels: 0 });
  });

  it('has its stored member', () => {
    const world = begin();
    const guild = world.guild('100');
    if (guild === undefined) throw new Error('it is here');
    expect(memberRowIn(guild, STAFF)).toEqual(member(STAFF, ['101']));
    const named = { ...member(STAFF), nick: 'n', accent_color: 0 };
    world.apply(inGuild('GUILD_MEMBER_UPDATE', { member: named }));
    expect(memberRowIn(guild, STAFF)).toEqual(named);
    expect(memberRowIn(guild, STRANGER)).toBeUndefined();
  });

  it('has the private channel with the newest message first', () => {
    const world = begin();
    world.apply(inPrivate('MESSAGE_CREATE', DIRECT, DIRECT.recipient_ids, { id: '1000' }));
    world.apply(inPrivate('MESSAGE_CREATE', DIRECT, DIRECT.recipient_ids, { id: '999' }));
    const account = world.account(PLAIN);
    const channels = account === undefined ? [] : privateChannelsOf(account);
    expect(channels.map(({ id, last_message_id }) => [id, last_message_id])).toEqual([
      ['300', '1000'],
      ['301', null],
    ]);
  });
});

describe('a role', () => {
  it('of a newer state applies from its creation on, with its overwrites', () => {
    const world = begin();
    world.apply(inGuild('GUILD_MEMBER_UPDATE', { member: member(PLAIN, ['109']) }));
    const overwrites = [...HIDDEN.permission_overwrites, overwrite('109', 0, VIEW, 0n)];
    world.apply(about('CHANNEL_UPDATE', { ...HIDDEN, permission_overwrites: overwrites }));
    expect(visible(world, PLAIN)).toEqual(['110']);
    expect(receivedEvents(world, inGuild('GUILD_ROLE_CREATE', { role: role('109', 0n) }), [PLAIN])).toEqual({
      [PLAIN]: ['event', 'channel_shown 111'],
    });
  });

  it('is listed by position, and removed from overwrites and members with its deletion', () => {
    const world = begin();
    const guild = world.guild('100');
    if (guild === undefined) throw new Error('it is here');
    world.apply(inGuild('GUILD_ROLE_CREATE', { role: role('99', 0n, 1) }));
    expect(rolesOf(guild).map(({ id }) => id)).toEqual(['100', '99', '101']);
    world.apply(inGuild('GUILD_ROLE_DELETE', { role_id: '101' }));
    expect(memberRowIn(guild, STAFF)?.role_ids).toEqual([]);
    expect(guild.channels.get('111')?.permission_overwrites.map(({ id }) => id)).toEqual(['100', GUEST]);
  });
});

it('keeps the newest message of a channel, whatever the order of commits', () => {
  const world = begin();
  for (const id of ['1000', '999'])
    world.apply(logEvent('MESSAGE_CREATE', { id }, { guild_id: '100', channel_id: '110' }));
  expect(world.guild('100')?.channels.get('110')?.last_message_id).toBe('1000');
});

it('knows the newest remaining message after a deletion', () => {
  const world = begin();
  const place = { guild_id: '100', channel_id: '110' };
  const last = () => world.guild('100')?.channels.get('110')?.last_message_id;
  for (const id of ['1000', '1001']) world.apply(logEvent('MESSAGE_CREATE', { id }, place));
  world.apply(logEvent('MESSAGE_DELETE', { id: '1001', last_message_id: '1000' }, place));
  expect(last()).toBe('1000');
  world.apply(logEvent('MESSAGE_DELETE', { id: '1000', last_message_id: null }, place));
  expect(last()).toBeNull();

  const direct = () => world.account(PLAIN)?.private_channels.get(DIRECT.id)?.last_message_id;
  world.apply(inPrivate('MESSAGE_CREATE', DIRECT, DIRECT.recipient_ids, { id: '1000' }));
  expect(direct()).toBe('1000');
  const deleted = { id: '1000', last_message_id: null };
  world.apply(inPrivate('MESSAGE_DELETE', DIRECT, DIRECT.recipient_ids, deleted));
  expect(direct()).toBeNull();
});

function visible(world: World<string>, account: string): readonly string[] {
  const guild = world.guild('100');
  return guild === undefined ? [] : channelsVisibleTo(guild, account).map(({ id }) => id);
}
