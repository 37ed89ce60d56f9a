import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { AccountState, GuildState, Role } from '@gatehouse/proto/chat';
import type { LogEvent } from '../../src/world/event.ts';

/** A guild as chat has it, with all its members. */
export interface PlainGuild {
  readonly row: GuildRow;
  readonly roles: readonly Role[];
  readonly channels: readonly ChannelRow[];
  readonly members: readonly MemberRow[];
}

export function guildRow(id: string, owner_id: string, more: Partial<GuildRow> = {}): GuildRow {
  return { id, name: `guild ${id}`, icon: null, owner_id, features: [], member_count: 1, ...more };
}

export function role(id: string, permissions: bigint, position = 0): Role {
  const look = { name: `role ${id}`, color: 0, hoist: false, mentionable: false };
  return { id, position, permissions: String(permissions), ...look };
}

export function member(account_id: string, role_ids: readonly string[] = []): MemberRow {
  const profile = { nick: null, avatar: null, banner: null, bio: null, pronouns: null, accent_color: null };
  return { account_id, role_ids, joined_at: '2026-01-02T03:04:05.678Z', ...profile };
}

export function channel(id: string, guild_id: string | null, more: Partial<ChannelRow> = {}): ChannelRow {
  return {
    id,
    guild_id,
    type: guild_id === null ? 1 : 0,
    name: `channel ${id}`,
    topic: null,
    position: 0,
    parent_id: null,
    rate_limit_per_user: 0,
    permission_overwrites: [],
    last_message_id: null,
    owner_id: null,
    recipient_ids: [],
    ...more,
  };
}

export function overwrite(id: string, type: number, allow: bigint, deny: bigint) {
  return { id, type, allow: String(allow), deny: String(deny) };
}

/** In the form of GetGuildStates, with these accounts' members. */
export function guildState(
  { row, roles, channels, members }: PlainGuild,
  accounts: readonly string[],
): GuildState {
  return {
    guild: { ...row, roles: [...roles] },
    channels: channels.map(stateChannel),
    members: members
      .filter(({ account_id }) => accounts.includes(account_id))
      .map((row) => ({ account_id: row.account_id, member: stateMember(row) })),
  };
}

export function accountState(
  account_id: string,
  guilds: readonly PlainGuild[],
  privateChannels: readonly ChannelRow[] = [],
): AccountState {
  const members = guilds.flatMap(({ row, members }) =>
    members
      .filter((one) => one.account_id === account_id)
      .map((one) => ({ guild_id: row.id, member: stateMember(one) })),
  );
  return {
    account_id,
    guild_ids: members.map(({ guild_id }) => guild_id),
    members,
    private_channels: privateChannels.map((one) => ({
      channel: stateChannel(one),
      recipient_ids: [...one.recipient_ids],
    })),
  };
}

export function logEvent(type: string, payload: unknown, scope: Partial<LogEvent> = {}): LogEvent {
  const none = { account_ids: [], channel_id: undefined, guild_id: undefined };
  const written = { created_at: '2026-03-14T09:30:00.000Z', xact_id: '700' };
  return { id: '1', type, payload, ...written, ...none, ...scope };
}

function stateChannel({ recipient_ids: _, permission_overwrites, ...row }: ChannelRow) {
  return { ...row, permission_overwrites: [...permission_overwrites], recipients: [] };
}

function stateMember({ account_id: _, role_ids, ...row }: MemberRow) {
  return { ...row, user: null, roles: [...role_ids] };
}
