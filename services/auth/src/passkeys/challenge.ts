import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Deps } from '../deps.ts';
import { newSecret, tokenHash } from '../sessions/token.ts';
import { lockFactors } from '../store/mfa/factors.ts';
import {
  type ChallengePurpose,
  insertChallenge,
  insertLoginChallenge,
} from '../store/mfa/webauthn-challenges.ts';
import { listPasskeys, type PasskeyDescriptor } from '../store/mfa/webauthn-credentials.ts';

/** The lifetime of a challenge, also in the store. */
export const ANSWER_WITHIN_MS = 5 * 60_000;

/** The random bytes that an authenticator signs. */
export type ChallengeBytes = Uint8Array<ArrayBuffer>;

/**
 * Creates a challenge for an account, and reads its passkeys. Undefined if the account is gone. `check` gets the number
 * of passkeys; if it throws, no challenge is created.
 */
export function challengeFor(
  { db }: Pick<Deps, 'db'>,
  purpose: Exclude<ChallengePurpose, 'login'>,
  account_id: string,
  check: (passkeys: number) => void,
): Promise<{ challenge: ChallengeBytes; passkeys: readonly PasskeyDescriptor[] } | undefined> {
  return inTransaction(db, async (tx) => {
    await lockFactors(tx, account_id);
    const passkeys = await listPasskeys(tx, account_id);
    check(passkeys.length);
    const { challenge, challenge_hash } = newChallenge();
    const inserted = await insertChallenge(tx, { challenge_hash, purpose, account_id });
    return inserted ? { challenge, passkeys } : undefined;
  });
}

/** Creates a challenge for a login by passkey. It belongs to no account. */
export async function loginChallenge({ db }: Pick<Deps, 'db'>): Promise<ChallengeBytes> {
  const { challenge, challenge_hash } = newChallenge();
  await insertLoginChallenge(db, challenge_hash);
  return challenge;
}

function newChallenge(): { challenge: ChallengeBytes; challenge_hash: string } {
  const text = newSecret(); // clients send it back in this form
  return { challenge: Uint8Array.from(Buffer.from(text, 'base64url')), challenge_hash: tokenHash(text) };
}
