import { hash, randomBytes } from 'node:crypto';
import type pg from 'pg';

/** The number of rows in each table. */
export async function rowCounts(db: pg.Pool): Promise<{ applications: number; reservations: number }> {
  const { rows } = await db.query<{ applications: number; reservations: number }>(
    `SELECT (SELECT count(*)::int FROM applications) AS applications,
            (SELECT count(*)::int FROM application_reservations) AS reservations`,
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error('the query returned no row');
  return counts;
}

/** An access token that was inserted directly. */
export interface AccessToken {
  readonly token: string;
  readonly id: string;
}

let accessTokens = 0;

export async function insertAccessToken(
  db: pg.Pool,
  of: { readonly application_id: string; readonly account_id: string; readonly scopes?: readonly string[] },
): Promise<AccessToken> {
  accessTokens++;
  const token = randomBytes(32).toString('base64url');
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO access_tokens (id, token_hash, application_id, account_id, scopes, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + interval '604800 seconds') RETURNING id`,
    [
      accessTokens,
      hash('sha256', token, 'buffer'),
      of.application_id,
      of.account_id,
      of.scopes ?? ['identify'],
    ],
  );
  return { token, id: rows[0]?.id ?? '' };
}
