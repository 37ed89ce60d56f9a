import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';
import { missingPermissions, unknownMember } from '../errors.ts';
import { readMembership } from '../store/members.ts';
import type { Membership } from './permissions.ts';

/** @throws MISSING_PERMISSIONS where another names a new owner than the owner; UNKNOWN_MEMBER where it is no member */
export async function requireNewOwner(tx: PoolClient, actor: Membership, ownerId: string): Promise<void> {
  if (ownerId === actor.owner_id) return;
  if (actor.account_id !== actor.owner_id) throw missingPermissions();
  const membership = isSnowflake(ownerId) ? await readMembership(tx, actor.guild_id, ownerId) : undefined;
  if (membership?.is_member !== true) throw unknownMember();
}
