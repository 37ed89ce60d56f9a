import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { newSecret, tokenHash } from '../sessions/token.ts';
import { lockFactors } from '../store/factors.ts';
import {
  type ChallengePurpose,
  insertChallenge,
  insertLoginChallenge,
} from '../store/webauthn-challenges.ts';

/** How long a client may take to answer: as long as the store keeps challenges. */
export const ANSWER_WITHIN_MS = 5 * 60_000;

/** Random bytes that an authenticator has to sign. */
export type ChallengeBytes = Uint8Array<ArrayBuffer>;

/**
 * Makes a challenge for an account, and reads what else the options need while its factors are held;
 * undefined when the account is gone. Nothing is kept when reading throws.
 */
export function challengeFor<T>(
  { db }: Pick<Deps, 'db'>,
  purpose: Exclude<ChallengePurpose, 'login'>,
  account_id: string,
  read: (tx: PoolClient) => Promise<T>,
): Promise<{ challenge: ChallengeBytes; value: T } | undefined> {
  return inTransaction(db, async (tx) => {
    await lockFactors(tx, account_id);
    const value = await read(tx);
    const { challenge, challenge_hash } = newChallenge();
    const kept = await insertChallenge(tx, { challenge_hash, purpose, account_id });
    return kept ? { challenge, value } : undefined;
  });
}

/** Makes a challenge for whoever will log in by passkey. */
export async function challengeForAnybody({ db }: Pick<Deps, 'db'>): Promise<ChallengeBytes> {
  const { challenge, challenge_hash } = newChallenge();
  await insertLoginChallenge(db, challenge_hash);
  return challenge;
}

function newChallenge(): { challenge: ChallengeBytes; challenge_hash: string } {
  const text = newSecret(); // as clients repeat it
  return { challenge: Uint8Array.from(Buffer.from(text, 'base64url')), challenge_hash: tokenHash(text) };
}
