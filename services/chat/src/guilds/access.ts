import {
  channelPermissions,
  guildPermissions,
  holds,
  type Membership,
  Permission,
  PRIVATE_PERMISSIONS,
} from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { Pool, PoolClient } from 'pg';
import { missingAccess, missingPermissions, notFound } from '../errors.ts';
import { readChannel } from '../store/channels/channels.ts';
import { readChannelAndMembership, readMembership } from '../store/members/members.ts';

/** The account's place in a guild that it is a member of. @throws NOT_FOUND, MISSING_ACCESS */
export async function accessGuild(
  db: Pool | PoolClient,
  guildId: string,
  accountId: string,
): Promise<Membership> {
  const membership = await readMembership(db, guildId, accountId);
  if (membership === undefined) throw notFound('guild');
  if (!membership.is_member) throw missingAccess();
  return membership;
}

export interface ChannelAccess {
  readonly channel: ChannelRow;
  /** Null for a private channel. */
  readonly guild_id: string | null;
  /** What the account may do there; VIEW_CHANNEL is among it. */
  readonly permissions: bigint;
  /** The account's place in the channel's guild; undefined for a private channel. */
  readonly membership: Membership | undefined;
  /** The guild's, by which this was judged; null for a private channel. */
  readonly guild_revision: string | null;
}

/** A channel that the account can view. @throws NOT_FOUND, MISSING_ACCESS */
export async function accessChannel(
  db: Pool | PoolClient,
  channelId: string,
  accountId: string,
): Promise<ChannelAccess> {
  const found = await readChannelAndMembership(db, channelId, accountId);
  if (found === undefined) throw notFound('channel');
  const { channel, membership, guild_revision } = found;
  const permissions = permissionsIn(channel, membership, accountId);
  if (!holds(permissions, Permission.VIEW_CHANNEL)) throw missingAccess();
  return { channel, guild_id: channel.guild_id ?? null, permissions, membership, guild_revision };
}

/** The same in a transaction that has locked the guild, for an account whose place in it is known. */
export async function accessChannelOf(
  tx: PoolClient,
  membership: Membership,
  channelId: string,
): Promise<{ readonly channel: ChannelRow; readonly permissions: bigint }> {
  const channel = await readChannel(tx, channelId);
  if (channel?.guild_id !== membership.guild_id) throw notFound('channel');
  const permissions = permissionsIn(channel, membership, membership.account_id);
  if (!holds(permissions, Permission.VIEW_CHANNEL)) throw missingAccess();
  return { channel, permissions };
}

/** What an account may do in a channel; nothing for who is in neither the guild nor the private channel. */
export function permissionsIn(
  channel: ChannelRow,
  membership: Membership | undefined,
  accountId: string,
): bigint {
  if (membership !== undefined) return channelPermissions(membership, channel.permission_overwrites);
  return channel.recipient_ids.includes(accountId) ? PRIVATE_PERMISSIONS : 0n;
}

/** @throws MISSING_PERMISSIONS */
export function requirePermission(permissions: bigint, wanted: bigint): void {
  if (!holds(permissions, wanted)) throw missingPermissions();
}

/** @throws MISSING_PERMISSIONS */
export function requireGuildPermission(membership: Membership, wanted: bigint): void {
  requirePermission(guildPermissions(membership), wanted);
}
