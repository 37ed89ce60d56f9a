import { channelPermissions, holds, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { GuildState, Role } from '@gatehouse/proto/chat';
import type { LogRow } from './chat-database.ts';
import { linesOf, type ShownMember } from './event-keys.ts';

/** A guild as plain rows, with the followed accounts' members. */
export interface PlainGuild {
  row: GuildRow;
  readonly roles: Map<string, Role>;
  readonly channels: Map<string, ChannelRow>;
  readonly members: Map<string, MemberRow>;
}

/** Payload fields of all event types together; each type reads its own. */
export interface GuildPayload {
  readonly id: string;
  readonly role: Role;
  readonly role_id: string;
  readonly member: MemberRow;
  readonly member_count?: number;
  readonly account_id: string;
  readonly channel_id: string;
  readonly code: string;
}

export function plainGuild({ guild, channels, members }: GuildState): PlainGuild {
  if (guild == null) throw new Error('the state has no guild');
  const { roles, permissions: _, ...row } = guild;
  return {
    row,
    roles: new Map(roles.map((one) => [one.id, one])),
    channels: new Map(channels.map((one) => [one.id, { ...one, recipient_ids: [] }])),
    members: new Map(
      members.map(({ account_id, member }) => {
        if (member == null) throw new Error('the state has no member');
        const { nick = null, avatar = null, banner = null, bio = null, joined_at, roles: role_ids } = member;
        const { pronouns = null, accent_color = null } = member;
        const profile = { nick, avatar, banner, bio, pronouns, accent_color };
        return [account_id, { account_id, ...profile, role_ids, joined_at }];
      }),
    ),
  };
}

/** The lines that only one of two guilds has. Empty if they are equal. */
export function differences(one: PlainGuild, other: PlainGuild): readonly string[] {
  const [lines, others] = [linesFor(one), linesFor(other)];
  return [
    ...lines.filter((line) => !others.includes(line)).map((line) => `- ${line}`),
    ...others.filter((line) => !lines.includes(line)).map((line) => `+ ${line}`),
  ];
}

function linesFor({ row, roles, channels, members }: PlainGuild): string[] {
  return linesOf(row, roles.values(), channels.values(), [...members.values()].map(shownMember));
}

export function shownMember({ account_id, nick, role_ids, joined_at }: MemberRow): ShownMember {
  return { id: account_id, nick, role_ids, joined_at };
}

/** Computes the permission from the rows, without a cache. */
export function may(
  { row, roles, members }: PlainGuild,
  channel: ChannelRow | undefined,
  account_id: string,
  wanted: bigint = Permission.VIEW_CHANNEL,
): boolean {
  const member = members.get(account_id);
  if (channel === undefined || member === undefined) return false;
  const { id: guild_id, owner_id } = row;
  const held = [...roles.values()].filter(({ id }) => id === guild_id || member.role_ids.includes(id));
  const membership = { guild_id, owner_id, account_id, is_member: true, roles: held };
  return holds(channelPermissions(membership, channel.permission_overwrites), wanted);
}

export function payloadOf({ payload }: LogRow): GuildPayload {
  return payload as GuildPayload; // chat wrote it (docs/events.md#payloads)
}

/** Applies an event to the guild's rows. */
export function applyTo(guild: PlainGuild, event: LogRow, followed: ReadonlySet<string>): void {
  const said = payloadOf(event);
  const { roles, channels, members } = guild;
  if (said.member_count !== undefined && event.type.startsWith('GUILD_MEMBER_'))
    guild.row = { ...guild.row, member_count: said.member_count };
  switch (event.type) {
    case 'GUILD_UPDATE':
      guild.row = said as unknown as GuildRow; // as its type says
      return;
    case 'GUILD_ROLE_CREATE':
    case 'GUILD_ROLE_UPDATE':
      roles.set(said.role.id, said.role);
      return;
    case 'GUILD_ROLE_DELETE':
      deleteRole(guild, said.role_id);
      return;
    case 'GUILD_MEMBER_ADD':
    case 'GUILD_MEMBER_UPDATE':
      if (followed.has(said.member.account_id)) members.set(said.member.account_id, said.member);
      return;
    case 'GUILD_MEMBER_REMOVE':
      members.delete(said.account_id);
      return;
    case 'CHANNEL_CREATE':
    case 'CHANNEL_UPDATE':
      channels.set(said.id, said as unknown as ChannelRow); // as its type says
      return;
    case 'CHANNEL_DELETE':
      channels.delete(said.id);
      return;
    case 'MESSAGE_CREATE':
      channels.set(said.channel_id, withMessage(channels.get(said.channel_id), said.id));
      return;
  }
}

function deleteRole({ roles, channels, members }: PlainGuild, role_id: string): void {
  roles.delete(role_id);
  for (const channel of channels.values()) {
    const permission_overwrites = channel.permission_overwrites.filter(({ id }) => id !== role_id);
    channels.set(channel.id, { ...channel, permission_overwrites });
  }
  for (const member of members.values()) {
    const role_ids = member.role_ids.filter((id) => id !== role_id);
    members.set(member.account_id, { ...member, role_ids });
  }
}

/** The newest message is the one with the highest ID. */
export function withMessage(channel: ChannelRow | undefined, id: string): ChannelRow {
  if (channel === undefined) throw new Error(`message ${id} is in no channel`);
  const { last_message_id: last } = channel;
  return last != null && BigInt(last) > BigInt(id) ? channel : { ...channel, last_message_id: id };
}
