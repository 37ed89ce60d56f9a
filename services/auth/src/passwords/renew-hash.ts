import type { Deps } from '../deps.ts';
import type { WaitingCall } from '../queue-options.ts';
import { replaceHash } from '../store/accounts/accounts.ts';
import { isOutdatedHash } from './password-cost.ts';

/** A password and the hash that it matched. */
export interface MatchedPassword {
  readonly account_id: string;
  readonly password: string;
  readonly password_hash: string;
}

/**
 * Replaces a hash of an older cost. The password stays the same, so no session ends. If this fails, the next proof
 * tries again; the current one succeeds all the same.
 */
export async function renewHash(
  { prisma, passwords }: Pick<Deps, 'prisma' | 'passwords'>,
  { account_id, password, password_hash }: MatchedPassword,
  call: WaitingCall,
): Promise<void> {
  if (!isOutdatedHash(password_hash)) return;
  try {
    const renewed = await passwords.hash(password, call);
    await replaceHash(prisma, account_id, { from: password_hash, to: renewed });
  } catch {
    // Too many jobs wait, the caller has gone, or the database is unavailable.
  }
}
