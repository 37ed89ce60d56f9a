import type { Pool, PoolClient } from 'pg';
import type { Identity } from '../accounts/identities.ts';
import { andLive, type SessionLifetime } from './session-lifetime.ts';

/** A new sign-in cookie of a session. */
export interface NewBrowserSession {
  /** SHA-256 of its secret, hex. */
  readonly secret_hash: string;
  readonly session_id: string;
  readonly sealed_token: Buffer;
  readonly stay_signed_in: boolean;
}

/** A live sign-in cookie, and the session that it belongs to. */
export interface BrowserSession {
  readonly account_id: string;
  readonly session_id: string;
  readonly sealed_token: Buffer;
  readonly stay_signed_in: boolean;
}

/** Maximum sign-in cookies per session. A new one replaces the oldest. */
const MAX_BROWSER_SESSIONS = 5;
/** For how long a cookie may be unused: one that the browser keeps, and one that it drops when it is closed. */
const KEPT_DAYS = 90;
const DROPPED_DAYS = 14;
export const KEPT_SECONDS = KEPT_DAYS * 24 * 60 * 60;

/** SQL: when a cookie expires that is used now. */
const EXPIRES_AT = `now() + CASE WHEN stay_signed_in THEN interval '${KEPT_DAYS} days'
                                 ELSE interval '${DROPPED_DAYS} days' END`;

/**
 * Locks a session whose token this is until the transaction ends, so that its cookies are counted one by one. Returns
 * false if it has ended.
 */
export async function lockSessionOfToken(
  tx: PoolClient,
  session_id: string,
  token_hash: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock_session_of_token',
    text: `SELECT FROM sessions WHERE id = $1 AND token_hash = decode($2, 'hex') FOR NO KEY UPDATE`,
    values: [session_id, token_hash],
  });
  return rowCount === 1;
}

/** Inserts a cookie and ends the session's oldest ones, in a transaction that has locked the session. */
export async function insertBrowserSession(tx: PoolClient, cookie: NewBrowserSession): Promise<void> {
  await tx.query({
    name: 'insert_browser_session',
    text: `WITH new (stay_signed_in) AS (VALUES ($4::boolean)),
           surplus AS (
             DELETE FROM browser_sessions
              WHERE secret_hash IN (SELECT secret_hash FROM browser_sessions WHERE session_id = $2
                                     ORDER BY created_at DESC, secret_hash OFFSET ${MAX_BROWSER_SESSIONS - 1}))
           INSERT INTO browser_sessions (secret_hash, session_id, sealed_token, stay_signed_in, expires_at)
           SELECT decode($1, 'hex'), $2, $3, stay_signed_in, ${EXPIRES_AT} FROM new`,
    values: [cookie.secret_hash, cookie.session_id, cookie.sealed_token, cookie.stay_signed_in],
  });
}

/** Finds a live cookie and moves its end. */
export async function resumeBrowserSession(
  db: Pool,
  secret_hash: string,
  lifetime: SessionLifetime,
): Promise<BrowserSession | undefined> {
  const { rows } = await db.query<BrowserSession>({
    name: 'resume_browser_session',
    text: `UPDATE browser_sessions SET expires_at = ${EXPIRES_AT}
             FROM (SELECT id, account_id FROM sessions WHERE true${andLive(lifetime)}) AS live
            WHERE secret_hash = decode($1, 'hex') AND expires_at > now() AND live.id = session_id
            RETURNING account_id, session_id, sealed_token, stay_signed_in`,
    values: [secret_hash],
  });
  return rows[0];
}

/** The account and the session of a live cookie. */
export async function findBrowserSession(
  db: Pool,
  secret_hash: string,
  lifetime: SessionLifetime,
): Promise<Identity | undefined> {
  const { rows } = await db.query<Identity>({
    name: 'find_browser_session',
    text: `SELECT account_id, live.id AS credential_id
             FROM (SELECT id, account_id FROM sessions WHERE true${andLive(lifetime)}) AS live
             JOIN browser_sessions ON session_id = live.id
            WHERE secret_hash = decode($1, 'hex') AND expires_at > now()`,
    values: [secret_hash],
  });
  return rows[0];
}

/**
 * Ends the cookies of a session. It locks the session first, as its end does: so the two never wait for each other's
 * rows.
 */
export async function endBrowserSessions(db: Pool, session_id: string): Promise<void> {
  await db.query({
    name: 'end_browser_sessions',
    text: `WITH ending AS MATERIALIZED (SELECT id FROM sessions WHERE id = $1 FOR NO KEY UPDATE)
           DELETE FROM browser_sessions USING ending WHERE session_id = ending.id`,
    values: [session_id],
  });
}
