import type { Pool, PoolClient } from 'pg';
import { unknownInvite } from '../errors.ts';
import { type InviteRow, readInvite } from '../store/invites.ts';
import { isInviteCode } from './invite-code.ts';

/**
 * Returns an invite that has not expired.
 *
 * @throws UNKNOWN_INVITE
 */
export async function requireInvite(db: Pool | PoolClient, code: string): Promise<InviteRow> {
  const invite = isInviteCode(code) ? await readInvite(db, code) : undefined;
  if (invite === undefined) throw unknownInvite();
  return invite;
}
