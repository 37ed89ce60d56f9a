import { hash } from 'node:crypto';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';

/**
 * What a session is told, as a line of text, and what it is shown of a guild or private channel at a moment, as a digest:
 * in the same form whether it is worked out from rows or was sent to a client.
 */

/** A guild or a private channel: the log has an order in each. */
export type ScopeId = string;

/** Not in the guild, or the channel. */
export const ABSENT = 'absent';

/** A message, as its row and the client have it. */
interface MessageLike {
  readonly id: string;
  readonly channel_id: string;
  readonly content?: string;
}

export interface ShownMember extends Pick<MemberRow, 'nick' | 'joined_at'> {
  readonly id: string;
  readonly role_ids: readonly string[];
}

/** A guild but for the newest messages. */
export interface ShownGuild {
  readonly row: GuildRow;
  readonly roles: Iterable<Role>;
  /** Those that it can view. */
  readonly channels: readonly ChannelRow[];
  readonly own: ShownMember;
}

export function messageKey(t: string, { id, channel_id, content = '' }: MessageLike): string {
  const text = content.length > 60 ? `${content.slice(0, 20)}…${hash('sha1', content).slice(0, 8)}` : content;
  return `${t} ${channel_id}/${id} ${text}`;
}

export function roleKey(t: string, role: Role): string {
  return `${t} ${roleText(role)}`;
}

export function memberKey(t: string, member: ShownMember): string {
  return `${t} ${memberText(member)}`;
}

export function channelKey(t: string, channel: ChannelRow): string {
  return `${t} ${channelText(channel)} ${channel.last_message_id ?? null}`;
}

export function guildUpdateKey(row: GuildRow, roles: Iterable<Role>): string {
  return `GUILD_UPDATE ${rowText(row)} ${rolesText(roles)}`;
}

export function privateKey(t: string, channel: PrivateShown): string {
  return `${t} ${privateDigest(channel)}`;
}

/** What is not told by more than IDs and codes. */
export function plainKey(t: string, ...ids: readonly string[]): string {
  return `${t} ${ids.join(' ')}`;
}

/** All but the newest messages of channels, which change most. */
export function structureOf({ row, roles, channels, own }: ShownGuild): string {
  const texts = [...channels].sort(byId).map(channelText);
  return hash('sha1', JSON.stringify([rowText(row), rolesText(roles), texts, memberText(own)]));
}

export function guildDigest(structure: string, channels: readonly ChannelRow[]): string {
  const newest = [...channels].sort(byId).map(({ last_message_id }) => last_message_id ?? '-');
  return hash('sha1', `${structure} ${newest.join()}`);
}

export interface PrivateShown {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly last_message_id?: string | null | undefined;
  /** Besides the account itself. */
  readonly others: readonly string[];
}

export function privateDigest({ id, name, last_message_id, others }: PrivateShown): string {
  return JSON.stringify([id, name ?? null, last_message_id ?? null, [...others].sort()]);
}

/** All that is known of a guild, a line each. */
export function linesOf(
  row: GuildRow,
  roles: Iterable<Role>,
  channels: Iterable<ChannelRow>,
  members: Iterable<ShownMember>,
): string[] {
  return [
    rowText(row),
    ...[...roles].sort(byId).map(roleText),
    ...[...channels].sort(byId).map((channel) => channelKey('channel', channel)),
    ...[...members].sort(byId).map(memberText),
  ];
}

function rowText({ id, name, icon, owner_id, features, member_count }: GuildRow): string {
  return JSON.stringify([id, name, icon ?? null, owner_id, features, member_count]);
}

function rolesText(roles: Iterable<Role>): string {
  return [...roles].sort(byId).map(roleText).join();
}

function roleText({ id, name, color, position, hoist, mentionable, permissions }: Role): string {
  return JSON.stringify([id, name, color, position, hoist, mentionable, permissions]);
}

function memberText({ id, nick, role_ids, joined_at }: ShownMember): string {
  return JSON.stringify([id, nick ?? null, [...role_ids].sort(), joined_at]);
}

function channelText(channel: ChannelRow): string {
  const { id, type, name, topic, position, parent_id, rate_limit_per_user, permission_overwrites } = channel;
  const overwrites = [...permission_overwrites]
    .sort(byId)
    .map((one) => [one.id, one.type, one.allow, one.deny]);
  return JSON.stringify([
    id,
    type,
    name ?? null,
    topic ?? null,
    position,
    parent_id ?? null,
    rate_limit_per_user,
    overwrites,
  ]);
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}
