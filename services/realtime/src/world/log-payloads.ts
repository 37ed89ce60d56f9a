import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { PermissionOverwrite, Role } from '@gatehouse/proto/chat';
import { isObject, isStrings } from '../json-types.ts';

/*
 * Reads the fields that the world needs from payloads (docs/events.md#payloads). The rest is passed on as chat wrote
 * it. Each function returns undefined for an invalid payload.
 */

export function guildOf(payload: unknown): GuildRow | undefined {
  return isGuild(payload) ? payload : undefined;
}

export function roleOf(payload: unknown): Role | undefined {
  const role = fieldsOf(payload).role;
  return isRole(role) ? role : undefined;
}

export function channelOf(payload: unknown): ChannelRow | undefined {
  return isChannel(payload) ? payload : undefined;
}

export function memberRowOf(payload: unknown): MemberRow | undefined {
  const { member } = fieldsOf(payload);
  return isMember(member) ? member : undefined;
}

export function textOf(payload: unknown, name: string): string | undefined {
  const value = fieldsOf(payload)[name];
  return typeof value === 'string' ? value : undefined;
}

/** The guild's member count after a member has joined or left. */
export function memberCountOf(payload: unknown): number | undefined {
  const { member_count } = fieldsOf(payload);
  return typeof member_count === 'number' ? member_count : undefined;
}

/** The channel's newest message after a deletion; null if none is left. */
export function lastMessageOf(payload: unknown): string | null | undefined {
  const { last_message_id } = fieldsOf(payload);
  return typeof last_message_id === 'string' || last_message_id === null ? last_message_id : undefined;
}

function isGuild(value: unknown): value is GuildRow {
  const { id, owner_id } = fieldsOf(value);
  return typeof id === 'string' && typeof owner_id === 'string';
}

function isRole(value: unknown): value is Role {
  const { id, position, permissions } = fieldsOf(value);
  return typeof id === 'string' && typeof position === 'number' && isBits(permissions);
}

function isChannel(value: unknown): value is ChannelRow {
  const { id, position, permission_overwrites: overwrites, recipient_ids } = fieldsOf(value);
  if (typeof id !== 'string' || typeof position !== 'number') return false;
  return Array.isArray(overwrites) && overwrites.every(isOverwrite) && isStrings(recipient_ids);
}

function isMember(value: unknown): value is MemberRow {
  const { account_id, role_ids, joined_at } = fieldsOf(value);
  return typeof account_id === 'string' && isStrings(role_ids) && typeof joined_at === 'string';
}

function isOverwrite(value: unknown): value is PermissionOverwrite {
  const { id, type, allow, deny } = fieldsOf(value);
  return typeof id === 'string' && typeof type === 'number' && isBits(allow) && isBits(deny);
}

/** A decimal number. */
function isBits(value: unknown): value is string {
  return typeof value === 'string' && /^\d+$/.test(value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
