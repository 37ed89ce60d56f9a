import type { Users } from '@gatehouse/auth-client/users';
import type { Membership } from '@gatehouse/chat-client/permissions';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { PoolClient } from 'pg';
import { missingPermissions, unknownMember } from '../errors.ts';
import { requireMembership } from './require-member.ts';

interface NewOwner {
  readonly id: string;
  /** A deleted account stays a member, but cannot act. */
  readonly account_exists: boolean;
}

/** Reads the new owner of a guild from a request, and whether its account exists. */
export async function readNewOwner(users: Users, id: string): Promise<NewOwner> {
  return { id, account_exists: isSnowflake(id) && (await users([id])).has(id) };
}

/**
 * @throws MISSING_PERMISSIONS unless the actor owns the guild; UNKNOWN_MEMBER if the new owner is no member, or its
 * account is deleted
 */
export async function requireNewOwner(
  tx: PoolClient,
  actor: Membership,
  { id, account_exists }: NewOwner,
): Promise<void> {
  if (id === actor.owner_id) return;
  if (actor.account_id !== actor.owner_id) throw missingPermissions();
  if (!account_exists) throw unknownMember();
  await requireMembership(tx, actor.guild_id, id);
}
