import type { Pool, PoolClient } from 'pg';

type Db = Pool | PoolClient;

/** Why an authenticator signs a challenge. */
export type ChallengePurpose = 'register' | 'sign-in';

export interface Challenge {
  readonly challenge_hash: Buffer;
  readonly purpose: ChallengePurpose;
  /** The name for which it was made, which may be nobody's. */
  readonly operator: string;
}

/** At most this many at a time: anybody can ask for one. Then the oldest goes. */
const MAX_CHALLENGES = 10_000;

export async function insertChallenge(
  db: Db,
  { challenge_hash, purpose, operator }: Challenge,
): Promise<void> {
  await db.query({
    name: 'insert_challenge',
    text: `WITH oldest AS (
             DELETE FROM challenges WHERE challenge_hash IN (
               SELECT challenge_hash FROM challenges ORDER BY created_at DESC OFFSET $4))
           INSERT INTO challenges (challenge_hash, purpose, operator) VALUES ($1, $2, $3)`,
    values: [challenge_hash, purpose, operator, MAX_CHALLENGES - 1],
  });
}

/** Uses up a challenge. Returns false if there is no live one. */
export async function useChallenge(
  db: Db,
  { challenge_hash, purpose, operator }: Challenge,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'use_challenge',
    text: `DELETE FROM challenges WHERE challenge_hash = $1 AND purpose = $2 AND operator = $3
              AND created_at > now() - interval '5 minutes'`,
    values: [challenge_hash, purpose, operator],
  });
  return rowCount === 1;
}
