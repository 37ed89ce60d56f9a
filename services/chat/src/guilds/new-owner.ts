import type { PoolClient } from 'pg';
import { missingPermissions } from '../errors.ts';
import { requireMembership } from '../members/require-member.ts';
import type { Membership } from './permissions.ts';

/** @throws MISSING_PERMISSIONS where another names a new owner than the owner; UNKNOWN_MEMBER where it is no member */
export async function requireNewOwner(tx: PoolClient, actor: Membership, ownerId: string): Promise<void> {
  if (ownerId === actor.owner_id) return;
  if (actor.account_id !== actor.owner_id) throw missingPermissions();
  await requireMembership(tx, actor.guild_id, ownerId);
}
