import type { Pool, PoolClient } from 'pg';

export type ChallengePurpose = 'register' | 'login' | 'mfa' | 'sudo';

/** A challenge. It has no account if it is for a login by passkey. */
export interface Challenge {
  /** SHA-256, hex. */
  readonly challenge_hash: string;
  readonly purpose: ChallengePurpose;
  readonly account_id: string | null;
}

const CHALLENGE_LIFETIME = "interval '5 minutes'";
const MAX_CHALLENGES_PER_ACCOUNT = 10;

/**
 * Inserts a challenge of an account, in a transaction that has locked its factors, and deletes the oldest over the
 * limit. Returns false if the account does not exist.
 */
export async function insertChallenge(tx: PoolClient, challenge: Challenge): Promise<boolean> {
  const { challenge_hash, purpose, account_id } = challenge;
  await tx.query({
    name: 'delete_surplus_challenges',
    text: `DELETE FROM webauthn_challenges WHERE challenge_hash IN (
             SELECT challenge_hash FROM webauthn_challenges WHERE account_id = $1
             ORDER BY expires_at DESC, challenge_hash OFFSET $2)`,
    values: [account_id, MAX_CHALLENGES_PER_ACCOUNT - 1],
  });
  const { rowCount } = await tx.query({
    name: 'insert_challenge',
    text: `INSERT INTO webauthn_challenges (challenge_hash, purpose, account_id, expires_at)
           SELECT decode($1, 'hex'), $2, id, now() + ${CHALLENGE_LIFETIME} FROM accounts WHERE id = $3`,
    values: [challenge_hash, purpose, account_id],
  });
  return rowCount === 1;
}

/** Inserts a challenge for a login by passkey. It replaces the login challenge that was inserted 100,000 before it. */
export async function insertLoginChallenge(db: Pool, challenge_hash: string): Promise<void> {
  await db.query({
    name: 'insert_login_challenge',
    text: `INSERT INTO webauthn_challenges (challenge_hash, purpose, slot, expires_at)
           VALUES (decode($1, 'hex'), 'login', nextval('webauthn_challenge_slots'), now() + ${CHALLENGE_LIFETIME})
           ON CONFLICT (slot) DO UPDATE
             SET challenge_hash = excluded.challenge_hash, expires_at = excluded.expires_at`,
    values: [challenge_hash],
  });
}

/** Uses up a challenge. Only one of several concurrent calls returns true. */
export async function consumeChallenge(db: Pool | PoolClient, challenge: Challenge): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'consume_challenge',
    text: `DELETE FROM webauthn_challenges
           WHERE challenge_hash = decode($1, 'hex') AND purpose = $2
             AND account_id IS NOT DISTINCT FROM $3 AND expires_at > now()`,
    values: [challenge.challenge_hash, challenge.purpose, challenge.account_id],
  });
  return rowCount === 1;
}
