import { channelPermissions, holds, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';
import type { LogEvent } from '../../src/world/event.ts';
import type { PlainGuild } from './rows.ts';

/** All of chat as plain rows. It keeps nothing else, and computes permissions from scratch each time. */
export interface PlainChat {
  readonly guilds: readonly PlainGuild[];
  /** By account. */
  readonly private_channels: Readonly<Record<string, readonly ChannelRow[]>>;
}

/** The events that an account receives, by docs/gateway.md#events, in order. */
export function eventsFor(
  before: PlainChat,
  after: PlainChat,
  event: LogEvent,
  accountId: string,
): readonly string[] {
  const { type, account_ids, guild_id } = event;
  if (account_ids.length > 0) {
    if (!account_ids.includes(accountId)) return [];
    return [type === 'GUILD_CREATE' ? `guild_created ${guild_id}` : 'event'];
  }
  const was = before.guilds.find(({ row }) => row.id === guild_id);
  const is = after.guilds.find(({ row }) => row.id === guild_id);
  return [...(isTold(was, is, event, accountId) ? ['event'] : []), ...viewsTold(was, is, accountId)];
}

/** The event itself. */
function isTold(
  was: PlainGuild | undefined,
  is: PlainGuild | undefined,
  { type, channel_id, payload }: LogEvent,
  accountId: string,
): boolean {
  switch (type) {
    case 'CHANNEL_CREATE':
      return may(is, channel_id, accountId);
    case 'CHANNEL_DELETE':
      return may(was, channel_id, accountId);
    case 'INVITE_CREATE':
    case 'INVITE_DELETE':
      return may(is, channel_id, accountId, Permission.MANAGE_CHANNELS);
    case 'CHANNEL_UPDATE':
    case 'MESSAGE_CREATE':
    case 'MESSAGE_UPDATE':
    case 'MESSAGE_DELETE':
      return may(was, channel_id, accountId) && may(is, channel_id, accountId);
    case 'GUILD_DELETE':
      return isIn(was, accountId);
    case 'GUILD_MEMBER_ADD':
      return isIn(is, accountId) && (payload as { member: MemberRow }).member.account_id !== accountId;
    default:
      return isIn(is, accountId);
  }
}

/** Gained and lost views of existing channels, for accounts that stay members. */
function viewsTold(
  was: PlainGuild | undefined,
  is: PlainGuild | undefined,
  accountId: string,
): readonly string[] {
  if (!isIn(was, accountId) || !isIn(is, accountId)) return [];
  const kept = (is?.channels ?? []).filter(({ id }) => was?.channels.some((one) => one.id === id));
  return inOrder(kept).flatMap(({ id }) => {
    const [could, can] = [may(was, id, accountId), may(is, id, accountId)];
    return could === can ? [] : [`${can ? 'channel_shown' : 'channel_hidden'} ${id}`];
  });
}

export function may(
  guild: PlainGuild | undefined,
  channelId: string | undefined,
  account_id: string,
  wanted: bigint = Permission.VIEW_CHANNEL,
): boolean {
  const channel = guild?.channels.find(({ id }) => id === channelId);
  const member = guild?.members.find((one) => one.account_id === account_id);
  if (guild === undefined || channel === undefined || member === undefined) return false;
  const { id: guild_id, owner_id } = guild.row;
  const roles = guild.roles.filter(({ id }) => id === guild_id || member.role_ids.includes(id));
  const membership = { guild_id, owner_id, account_id, is_member: true, roles };
  return holds(channelPermissions(membership, channel.permission_overwrites), wanted);
}

export function isIn(guild: PlainGuild | undefined, accountId: string): boolean {
  return guild?.members.some(({ account_id }) => account_id === accountId) === true;
}

export function inOrder<T extends { readonly id: string; readonly position: number }>(
  some: readonly T[],
): readonly T[] {
  return [...some].sort((one, other) => one.position - other.position || Number(one.id) - Number(other.id));
}

/** The rows after a guild's event. */
export function changed(guild: PlainGuild, { type, payload, channel_id }: LogEvent): PlainGuild | undefined {
  const { row, roles, channels, members } = guild;
  // The payloads are those that the commands wrote.
  const said = payload as { role: Role; role_id: string; member: MemberRow; account_id: string; id: string };
  const { member_count = row.member_count } = payload as { member_count?: number };
  const role_id = said.role_id;
  switch (type) {
    case 'GUILD_UPDATE':
      return { ...guild, row: payload as GuildRow };
    case 'GUILD_DELETE':
      return undefined;
    case 'GUILD_ROLE_CREATE':
    case 'GUILD_ROLE_UPDATE':
      return { ...guild, roles: [...roles.filter(({ id }) => id !== said.role.id), said.role] };
    case 'GUILD_ROLE_DELETE':
      return {
        row,
        roles: roles.filter(({ id }) => id !== role_id),
        channels: channels.map((one) => ({
          ...one,
          permission_overwrites: one.permission_overwrites.filter(({ id }) => id !== role_id),
        })),
        members: members.map((one) => ({ ...one, role_ids: one.role_ids.filter((id) => id !== role_id) })),
      };
    case 'GUILD_MEMBER_ADD':
      return { ...guild, row: { ...row, member_count }, members: [...members, said.member] };
    case 'GUILD_MEMBER_UPDATE':
      return {
        ...guild,
        members: members.map((one) => (one.account_id === said.member.account_id ? said.member : one)),
      };
    case 'GUILD_MEMBER_REMOVE':
      return {
        ...guild,
        row: { ...row, member_count },
        members: members.filter((one) => one.account_id !== said.account_id),
      };
    case 'CHANNEL_CREATE':
      return { ...guild, channels: [...channels, payload as ChannelRow] };
    case 'CHANNEL_UPDATE':
      return {
        ...guild,
        channels: channels.map((one) => (one.id === channel_id ? (payload as ChannelRow) : one)),
      };
    case 'CHANNEL_DELETE':
      return { ...guild, channels: channels.filter(({ id }) => id !== channel_id) };
    case 'MESSAGE_CREATE':
      return {
        ...guild,
        channels: channels.map((one) => (one.id === channel_id ? { ...one, last_message_id: said.id } : one)),
      };
    default:
      return guild;
  }
}
