import { hash } from 'node:crypto';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';

/**
 * Keys and digests for comparing what clients received with what the log implies. A key is an event as a line of
 * text; a digest is the visible state of a guild or private channel. Rows and client payloads result in the same
 * form.
 */

/** ID of a guild or private channel. Events are ordered within it. */
export type ScopeId = string;

/** Digest of an account that is not in the guild or channel. */
export const ABSENT = 'absent';

/** Fields that a message row and a client's message share. */
interface MessageLike {
  readonly id: string;
  readonly channel_id: string;
  readonly content?: string;
}

export interface ShownMember extends Pick<MemberRow, 'nick' | 'joined_at'> {
  readonly id: string;
  readonly role_ids: readonly string[];
}

/** A guild as one member sees it. */
export interface ShownGuild {
  readonly row: GuildRow;
  readonly roles: Iterable<Role>;
  /** The visible channels. */
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

/** The key of an event that has only IDs and codes. */
export function plainKey(t: string, ...ids: readonly string[]): string {
  return `${t} ${ids.join(' ')}`;
}

/** Digest without the channels' newest messages, which change most often. */
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
  /** The recipients other than the account itself. */
  readonly others: readonly string[];
}

export function privateDigest({ id, name, last_message_id, others }: PrivateShown): string {
  return JSON.stringify([id, name ?? null, last_message_id ?? null, [...others].sort()]);
}

/** The guild's complete state, one line per object. */
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
