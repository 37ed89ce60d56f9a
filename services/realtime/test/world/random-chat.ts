import { Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';
import fc from 'fast-check';
import type { LogEvent } from '../../src/world/event.ts';
import type { PlainChat } from './naive-world.ts';
import { newGuild } from './plain-log.ts';
import { channel, logEvent, member, overwrite, type PlainGuild, role } from './rows.ts';

export const ACCOUNTS = ['1', '2', '3', '4', '5'];
const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS, ADMINISTRATOR } = Permission;
const BITS = [0n, VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS, VIEW_CHANNEL | MANAGE_CHANNELS];
const DEPTH = 1 << 20;

/** A random action; the numbers select from existing objects. */
export interface Command {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

interface Scene {
  readonly plain: PlainChat;
  readonly guild: PlainGuild;
  readonly channel: ChannelRow;
  readonly role: Role;
  readonly member: MemberRow;
  /** Possible members of the guild. */
  readonly account: string;
  readonly other: string;
  readonly command: Command;
  readonly newId: () => string;
}

type Make = (scene: Scene) => readonly LogEvent[];

const inChannel = ({ guild, channel }: Pick<Scene, 'guild' | 'channel'>) => ({
  guild_id: guild.row.id,
  channel_id: channel.id,
});
const put = (type: string, row: ChannelRow) =>
  logEvent(type, row, { guild_id: row.guild_id ?? undefined, channel_id: row.id });
const ofGuild = ({ guild }: Scene, type: string, payload: object) =>
  logEvent(type, { guild_id: guild.row.id, ...payload }, { guild_id: guild.row.id });
const bits = (n: number): bigint => pick(BITS, n);

/** The actions with their weights, and the events that chat writes for each. */
const COMMANDS: Readonly<Record<string, readonly [number, Make]>> = {
  message: [6, (s) => [logEvent('MESSAGE_CREATE', { id: s.newId() }, inChannel(s))]],
  editMessage: [1, (s) => [logEvent('MESSAGE_UPDATE', { id: '7' }, inChannel(s))]],
  deleteMessage: [1, (s) => [logEvent('MESSAGE_DELETE', { id: '7' }, inChannel(s))]],
  invite: [1, (s) => [logEvent('INVITE_CREATE', { code: 'x' }, inChannel(s))]],
  deleteInvite: [1, (s) => [logEvent('INVITE_DELETE', { code: 'x' }, inChannel(s))]],
  webhooks: [1, (s) => [ofGuild(s, 'WEBHOOKS_UPDATE', { channel_id: s.channel.id })]],
  createChannel: [
    2,
    (s) => {
      const type = s.command.a % 4 === 0 ? 4 : 0;
      const more = { type, position: s.command.b % 4, permission_overwrites: overwrites(s) };
      return [put('CHANNEL_CREATE', channel(s.newId(), s.guild.row.id, more))];
    },
  ],
  moveChannels: [
    2,
    (s) =>
      s.guild.channels
        .filter((_, n) => (s.command.c >> n) % 2 === 0)
        .map((row, n) => put('CHANNEL_UPDATE', { ...row, position: (s.command.d >> n) % 5 })),
  ],
  renameChannel: [1, (s) => [put('CHANNEL_UPDATE', { ...s.channel, topic: s.newId() })]],
  setOverwrites: [5, (s) => [put('CHANNEL_UPDATE', { ...s.channel, permission_overwrites: overwrites(s) })]],
  putOverwrite: [
    4,
    (s) => {
      const [id, type] = s.command.a % 2 === 0 ? [s.account, 1] : [s.role.id, 0];
      const others = s.channel.permission_overwrites.filter((one) => one.id !== id);
      const one = overwrite(id, type, bits(s.command.c), bits(s.command.d));
      return [put('CHANNEL_UPDATE', { ...s.channel, permission_overwrites: [...others, one] })];
    },
  ],
  deleteChannel: [
    1,
    (s) => {
      const inside = s.guild.channels.slice(0, 1).filter(({ id }) => id !== s.channel.id);
      return [
        ...inside.map((row) => put('CHANNEL_UPDATE', { ...row, parent_id: null })),
        put('CHANNEL_DELETE', s.channel),
      ];
    },
  ],
  createRole: [1, (s) => [ofGuild(s, 'GUILD_ROLE_CREATE', { role: role(s.newId(), bits(s.command.d), 3) })]],
  updateRole: [
    5,
    (s) => {
      const permissions = s.command.d % 6 === 0 ? ADMINISTRATOR : bits(s.command.c);
      return [ofGuild(s, 'GUILD_ROLE_UPDATE', { role: { ...s.role, permissions: String(permissions) } })];
    },
  ],
  moveRole: [1, (s) => [ofGuild(s, 'GUILD_ROLE_UPDATE', { role: { ...s.role, position: s.command.d % 5 } })]],
  deleteRole: [
    2,
    (s) => (s.role.id === s.guild.row.id ? [] : [ofGuild(s, 'GUILD_ROLE_DELETE', { role_id: s.role.id })]),
  ],
  join: [
    5,
    (s) => {
      const { guild, account } = s;
      if (isMember(guild, account)) return [];
      const member_count = guild.members.length + 1;
      const payload = { member: member(account, s.command.d % 2 === 0 ? [] : roleIds(s)), member_count };
      const place = { guild_id: guild.row.id, account_ids: [account] };
      return [
        ofGuild(s, 'GUILD_MEMBER_ADD', payload),
        logEvent('GUILD_CREATE', { guild_id: guild.row.id }, place),
      ];
    },
  ],
  leave: [
    3,
    (s) => {
      const { guild, account } = s;
      if (!isMember(guild, account) || guild.row.owner_id === account) return [];
      const gone = { account_id: account, member_count: guild.members.length - 1 };
      const place = { guild_id: guild.row.id, account_ids: [account] };
      return [
        ofGuild(s, 'GUILD_MEMBER_REMOVE', gone),
        logEvent('GUILD_DELETE', { guild_id: guild.row.id }, place),
      ];
    },
  ],
  setRoles: [
    6,
    (s) => [ofGuild(s, 'GUILD_MEMBER_UPDATE', { member: { ...s.member, role_ids: roleIds(s) } })],
  ],
  setNick: [1, (s) => [ofGuild(s, 'GUILD_MEMBER_UPDATE', { member: { ...s.member, nick: s.newId() } })]],
  transferGuild: [
    3,
    ({ guild: { row }, member: { account_id: owner_id } }) => [
      logEvent('GUILD_UPDATE', { ...row, owner_id }, { guild_id: row.id }),
    ],
  ],
  renameGuild: [
    1,
    ({ guild: { row }, newId }) => [
      logEvent('GUILD_UPDATE', { ...row, name: newId() }, { guild_id: row.id }),
    ],
  ],
  createGuild: [
    1,
    ({ account, newId, command }) => {
      const fresh = newGuild(newId(), newId(), account, bits(command.c));
      const guild = { ...fresh, members: [member(account)] };
      const place = { guild_id: guild.row.id, account_ids: [account] };
      return [logEvent('GUILD_CREATE', { guild_id: guild.row.id, guild }, place)];
    },
  ],
  deleteGuild: [0.3, (s) => [ofGuild(s, 'GUILD_DELETE', {})]],
  openDirect: [
    2,
    ({ account, other, newId }) => {
      if (account === other) return [];
      const row = channel(newId(), null, { recipient_ids: [account, other] });
      return [logEvent('CHANNEL_CREATE', row, { channel_id: row.id, account_ids: row.recipient_ids })];
    },
  ],
  closeDirect: [1, (s) => ofPrivate(s, (row, account) => [toOne('CHANNEL_DELETE', row, account)])],
  reopenDirect: [
    1,
    (s) => ofPrivate(s, (row) => row.recipient_ids.map((id) => toOne('CHANNEL_CREATE', row, id))),
  ],
  messageDirect: [2, (s) => ofPrivate(s, (row) => [toAll('MESSAGE_CREATE', row, { id: s.newId() })])],
  renameGroup: [1, (s) => ofPrivate(s, (row) => [toAll('CHANNEL_UPDATE', row, { ...row, name: s.newId() })])],
  addRecipient: [
    2,
    (s) =>
      ofPrivate(s, (row) => {
        if (row.recipient_ids.includes(s.other)) return [];
        const joined = { ...row, recipient_ids: [...row.recipient_ids, s.other] };
        return [
          toAll('CHANNEL_RECIPIENT_ADD', row, { channel_id: row.id, account_id: s.other }),
          toOne('CHANNEL_CREATE', joined, s.other),
        ];
      }),
  ],
  removeRecipient: [
    2,
    (s) =>
      ofPrivate(s, (row, account) => {
        const rest = { ...row, recipient_ids: row.recipient_ids.filter((id) => id !== account) };
        return [
          toAll('CHANNEL_RECIPIENT_REMOVE', rest, { channel_id: row.id, account_id: account }),
          toOne('CHANNEL_DELETE', row, account),
        ];
      }),
  ],
};

/** Actions that write events; `follow` and `unfollow` begin and end sessions. */
export const commands: fc.Arbitrary<Command> = fc.record({
  name: fc.oneof(
    ...Object.entries(COMMANDS).map(([name, [weight]]) => ({
      weight: Math.ceil(weight * 10),
      arbitrary: fc.constant(name),
    })),
    { weight: 30, arbitrary: fc.constant('follow') },
    { weight: 20, arbitrary: fc.constant('unfollow') },
  ),
  a: fc.nat(DEPTH),
  b: fc.nat(DEPTH),
  c: fc.nat(DEPTH),
  d: fc.nat(DEPTH),
});

/** The events that chat writes for the action; none if there is no object for it. */
export function eventsOf(plain: PlainChat, command: Command, newId: () => string): readonly LogEvent[] {
  const { a, b, c, d } = command;
  const account = accountOf(command);
  const other = pick(ACCOUNTS, b);
  const guild = plain.guilds[a % Math.max(1, plain.guilds.length)] ?? NO_GUILD;
  const found = {
    channel: guild.channels[b % Math.max(1, guild.channels.length)],
    role: guild.roles[c % Math.max(1, guild.roles.length)],
    member: guild.members[d % Math.max(1, guild.members.length)],
  };
  const [, make] = COMMANDS[command.name] ?? [];
  if (found.channel === undefined || found.role === undefined || found.member === undefined) return [];
  const rest = { channel: found.channel, role: found.role, member: found.member };
  return make?.({ plain, guild, ...rest, account, other, command, newId }) ?? [];
}

export function accountOf({ c }: Command): string {
  return pick(ACCOUNTS, c);
}

const NO_GUILD: PlainGuild = { ...newGuild('0', '0', '0', 0n), channels: [] };

function pick<T>(from: readonly T[], n: number): T {
  const one = from[n % from.length];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
}

function isMember({ members }: PlainGuild, account: string): boolean {
  return members.some(({ account_id }) => account_id === account);
}

/** Some of the guild's roles. */
function roleIds({ guild, command: { c } }: Scene): readonly string[] {
  return guild.roles.map(({ id }) => id).filter((id, n) => id !== guild.row.id && (c >> n) % 2 === 0);
}

/** For some roles and accounts, including an unknown account. */
function overwrites({ guild, command: { a, b, c, d } }: Scene) {
  const roles = guild.roles.map(({ id }) => [id, 0] as const);
  const accounts = [...ACCOUNTS, '999'].map((id) => [id, 1] as const);
  return [...roles, ...accounts]
    .filter((_, n) => ((a ^ b) >> n) % 3 === 0)
    .map(([id, type], n) => overwrite(id, type, bits(c >> n), bits(d >> n)));
}

function ofPrivate(
  { plain, account, command }: Scene,
  make: (row: ChannelRow, account: string) => readonly LogEvent[],
): readonly LogEvent[] {
  const open = plain.private_channels[account] ?? [];
  const row = open[command.b % Math.max(1, open.length)];
  return row === undefined ? [] : make(row, account);
}

function toOne(type: string, row: ChannelRow, account: string): LogEvent {
  return logEvent(type, row, { channel_id: row.id, account_ids: [account] });
}

function toAll(type: string, row: ChannelRow, payload: object): LogEvent {
  return logEvent(type, payload, { channel_id: row.id, account_ids: row.recipient_ids });
}
