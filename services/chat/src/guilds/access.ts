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
import { findChannel } from '../store/channels/channels.ts';
import { findChannelAndMembership, findMembership } from '../store/members/members.ts';

/**
 * Returns the account's membership in a guild.
 *
 * @throws NOT_FOUND, MISSING_ACCESS
 */
export async function accessGuild(
  db: Pool | PoolClient,
  guildId: string,
  accountId: string,
): Promise<Membership> {
  const membership = await findMembership(db, guildId, accountId);
  if (membership === undefined) throw notFound('guild');
  if (!membership.is_member) throw missingAccess();
  return membership;
}

export interface ChannelAccess {
  readonly channel: ChannelRow;
  /** Null for a private channel. */
  readonly guild_id: string | null;
  /** The account's permissions in the channel, which include VIEW_CHANNEL. */
  readonly permissions: bigint;
  /** The account's membership in the channel's guild; undefined for a private channel. */
  readonly membership: Membership | undefined;
  /** The guild's revision at the check; null for a private channel. */
  readonly guild_revision: string | null;
  /** Whether an operator had disabled the guild at the check. */
  readonly is_disabled: boolean;
}

/**
 * Returns a channel that the account can view.
 *
 * @throws NOT_FOUND, MISSING_ACCESS
 */
export async function accessChannel(
  db: Pool | PoolClient,
  channelId: string,
  accountId: string,
): Promise<ChannelAccess> {
  const found = await findChannelAndMembership(db, channelId, accountId);
  if (found === undefined) throw notFound('channel');
  const { channel, membership, guild_revision, is_disabled } = found;
  const permissions = permissionsIn(channel, membership, accountId);
  if (!holds(permissions, Permission.VIEW_CHANNEL)) throw missingAccess();
  return {
    channel,
    guild_id: channel.guild_id ?? null,
    permissions,
    membership,
    guild_revision,
    is_disabled,
  };
}

/**
 * Returns a channel of the member's guild, which the transaction has locked, if the member can view it.
 *
 * @throws NOT_FOUND, MISSING_ACCESS
 */
export async function accessGuildChannel(
  tx: PoolClient,
  membership: Membership,
  channelId: string,
): Promise<{ readonly channel: ChannelRow; readonly permissions: bigint }> {
  const channel = await findChannel(tx, channelId);
  if (channel?.guild_id !== membership.guild_id) throw notFound('channel');
  const permissions = permissionsIn(channel, membership, membership.account_id);
  if (!holds(permissions, Permission.VIEW_CHANNEL)) throw missingAccess();
  return { channel, permissions };
}

/** The account's permissions in a channel; none outside the guild or private channel. */
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
