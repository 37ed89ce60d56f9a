import type { Pool, PoolClient } from 'pg';

/** `MAX_FAILURES` wrong second factors within `WINDOW` block the account's multi-factor logins for `BLOCK`. */
const MAX_FAILURES = 20;
const WINDOW = '1 hour';
const BLOCK = '15 minutes';

/** The milliseconds until the block of the account's multi-factor logins ends; undefined without a block. */
export async function findMfaBlock(db: Pool | PoolClient, account_id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ left_ms: number }>({
    name: 'find_mfa_block',
    text: `SELECT ceil(extract(epoch FROM held_until - now()) * 1000)::int AS left_ms
             FROM mfa_failures WHERE account_id = $1 AND held_until > now()`,
    values: [account_id],
  });
  return rows[0]?.left_ms;
}

/** Counts a wrong second factor while the account is locked. Returns whether it starts a block. */
export async function insertMfaFailure(tx: PoolClient, account_id: string): Promise<boolean> {
  const { rows } = await tx.query<{ blocked: boolean }>({
    name: 'insert_mfa_failure',
    text: `WITH failures AS (
             SELECT now() AS at
              UNION ALL
             SELECT at FROM mfa_failures, unnest(failed_at) AS at
              WHERE account_id = $1 AND at > now() - interval '${WINDOW}'
           ), latest AS (
             SELECT array_agg(at ORDER BY at DESC) AS failed_at
               FROM (SELECT at FROM failures ORDER BY at DESC LIMIT ${MAX_FAILURES}) AS kept
           )
           INSERT INTO mfa_failures (account_id, failed_at, held_until, expires_at)
           SELECT $1, failed_at,
                  CASE WHEN cardinality(failed_at) >= ${MAX_FAILURES} THEN now() + interval '${BLOCK}' END,
                  now() + interval '${WINDOW}'
             FROM latest
           ON CONFLICT (account_id) DO UPDATE
             SET failed_at = excluded.failed_at, held_until = excluded.held_until, expires_at = excluded.expires_at
           RETURNING held_until IS NOT NULL AS blocked`,
    values: [account_id],
  });
  return rows[0]?.blocked === true;
}
