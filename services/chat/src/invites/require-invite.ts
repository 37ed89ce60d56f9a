import type { Pool, PoolClient } from 'pg';
import { unknownInvite } from '../errors.ts';
import { findInvite, type InviteRow } from '../store/invites.ts';
import { isInviteCode } from './invite-code.ts';

/**
 * Returns an invite that has not expired.
 *
 * @throws UNKNOWN_INVITE
 */
export async function requireInvite(db: Pool | PoolClient, code: string): Promise<InviteRow> {
  const invite = isInviteCode(code) ? await findInvite(db, code) : undefined;
  if (invite === undefined) throw unknownInvite();
  return invite;
}
