import type { Channel } from '@gatehouse/proto/chat';
import type { Pool } from 'pg';
import { missingAccess, notFound } from '../errors.ts';
import { readChannel } from '../store/channels.ts';
import { readMembership } from '../store/members.ts';
import { channelPermissions, holds, type Membership, Permission } from './permissions.ts';

/** The account's place in a guild that it is a member of. @throws NOT_FOUND, MISSING_ACCESS */
export async function accessGuild(db: Pool, guildId: string, accountId: string): Promise<Membership> {
  const membership = await readMembership(db, guildId, accountId);
  if (membership === undefined) throw notFound('guild');
  if (!membership.is_member) throw missingAccess();
  return membership;
}

export interface ChannelAccess {
  readonly channel: Channel;
  readonly guild_id: string;
  /** What the account may do there; VIEW_CHANNEL is among it. */
  readonly permissions: bigint;
}

/** A channel that the account can view. @throws NOT_FOUND, MISSING_ACCESS */
export async function accessChannel(db: Pool, channelId: string, accountId: string): Promise<ChannelAccess> {
  const channel = await readChannel(db, channelId);
  if (channel === undefined) throw notFound('channel');
  const guild_id = channel.guild_id ?? undefined;
  if (guild_id === undefined) throw missingAccess(); // private channels are not served
  const membership = await accessGuild(db, guild_id, accountId);
  const permissions = channelPermissions(membership, channel.permission_overwrites);
  if (!holds(permissions, Permission.VIEW_CHANNEL)) throw missingAccess();
  return { channel, guild_id, permissions };
}
