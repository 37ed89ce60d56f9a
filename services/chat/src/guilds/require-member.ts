import type { Membership } from '@gatehouse/chat-client/permissions';
import type { MemberRow } from '@gatehouse/chat-client/rows';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { Pool, PoolClient } from 'pg';
import { unknownMember } from '../errors.ts';
import { findMember } from '../store/members/member-profiles.ts';
import { findMembership } from '../store/members/members.ts';

/** @throws UNKNOWN_MEMBER */
export async function requireMember(
  db: Pool | PoolClient,
  guildId: string,
  accountId: string,
): Promise<MemberRow> {
  const member = isSnowflake(accountId) ? await findMember(db, guildId, accountId) : undefined;
  if (member === undefined) throw unknownMember();
  return member;
}

/**
 * Returns another account's membership in a guild.
 *
 * @throws UNKNOWN_MEMBER
 */
export async function requireMembership(
  tx: PoolClient,
  guildId: string,
  accountId: string,
): Promise<Membership> {
  const membership = isSnowflake(accountId) ? await findMembership(tx, guildId, accountId) : undefined;
  if (membership === undefined || !membership.is_member) throw unknownMember();
  return membership;
}
