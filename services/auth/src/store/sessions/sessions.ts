import type { Pool, PoolClient } from 'pg';
import { andLive, expiryConditions, LAST_USED, type SessionLifetime } from './session-lifetime.ts';

/** A new session and its client. */
export interface NewSession {
  readonly id: string;
  readonly account_id: string;
  /** SHA-256 of the token, hex. */
  readonly token_hash: string;
  /** Empty if the edge did not send it. */
  readonly ip: string;
  readonly user_agent: string;
}

/** Maximum sessions per account. A new one replaces ended ones first, then the least recently used. */
const MAX_SESSIONS = 200;

/**
 * Inserts a session, in a transaction that has locked the account (`lockAccount`), so that it sees all earlier ones.
 *
 * @returns the number of sessions that it replaced
 */
export async function insertSession(
  tx: PoolClient,
  session: NewSession,
  lifetime: SessionLifetime,
): Promise<number> {
  const expiredLast = expiryConditions(lifetime).map((expired) => `(${expired}), `);
  const { rows } = await tx.query<{ ended: number }>({
    name: 'insert_session',
    text: `WITH ending AS MATERIALIZED (
             SELECT id FROM sessions
              WHERE id IN (SELECT id FROM sessions WHERE account_id = $2
                            ORDER BY ${expiredLast.join('')}${LAST_USED} DESC, id DESC OFFSET ${MAX_SESSIONS - 1})
              ORDER BY id FOR UPDATE),
           ended AS (DELETE FROM sessions USING ending WHERE sessions.id = ending.id RETURNING sessions.id)
           INSERT INTO sessions (id, account_id, token_hash, ip, user_agent)
           VALUES ($1, $2, decode($3, 'hex'), nullif($4, ''), nullif($5, ''))
           RETURNING (SELECT count(*)::int FROM ended) AS ended`,
    values: [session.id, session.account_id, session.token_hash, session.ip, session.user_agent],
  });
  return rows[0]?.ended ?? 0;
}

/**
 * Locks a session until the transaction ends. Returns false if it has ended. The transaction must already have locked
 * the account.
 */
export async function lockSession(tx: PoolClient, session_id: string, account_id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock_session',
    // KEY SHARE prevents deletion, but allows updates of the last-used time.
    text: 'SELECT FROM sessions WHERE id = $1 AND account_id = $2 FOR KEY SHARE',
    values: [session_id, account_id],
  });
  return rowCount === 1;
}

/** A live session. */
export interface Session {
  readonly id: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** The time of the login if the session was not used since. */
  readonly last_used_at: Date;
}

/** An account's live sessions, newest first. */
export async function findSessions(
  db: Pool,
  account_id: string,
  limit: number,
  lifetime: SessionLifetime,
): Promise<Session[]> {
  const { rows } = await db.query<Session>({
    name: 'list_sessions',
    text: `SELECT id, ip, user_agent, ${LAST_USED} AS last_used_at
             FROM sessions WHERE account_id = $1${andLive(lifetime)}
            ORDER BY created_at DESC, id DESC LIMIT $2`,
    values: [account_id, limit],
  });
  return rows;
}

/** Ends a session. Returns false if it has already ended. */
export async function endSession(
  db: Pool | PoolClient,
  session_id: string,
  account_id: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'end_session',
    text: 'DELETE FROM sessions WHERE id = $1 AND account_id = $2',
    values: [session_id, account_id],
  });
  return rowCount === 1;
}

/**
 * Ends all sessions of an account, or all except one. The transaction must have locked the account's row. All
 * statements that end several sessions lock them in the order of their IDs, which prevents deadlocks.
 *
 * @returns how many sessions ended
 */
export async function endAllSessions(tx: PoolClient, account_id: string, except?: string): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'end_sessions',
    text: `WITH ending AS MATERIALIZED (
             SELECT id FROM sessions WHERE account_id = $1 AND id IS DISTINCT FROM $2::bigint
              ORDER BY id FOR UPDATE)
           DELETE FROM sessions USING ending WHERE sessions.id = ending.id`,
    values: [account_id, except ?? null],
  });
  return rowCount ?? 0;
}

/** Ends the sessions of an account with these hashes (`sessionIdHash`), like `endAllSessions`. */
export async function endNamedSessions(
  tx: PoolClient,
  account_id: string,
  id_hashes: readonly string[],
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'end_named_sessions',
    text: `WITH ending AS MATERIALIZED (
             SELECT id FROM sessions
              WHERE account_id = $1
                AND translate(encode(sha256(convert_to('session:' || id, 'UTF8')), 'base64'), '+/=', '-_')
                    = ANY ($2::text[])
              ORDER BY id FOR UPDATE)
           DELETE FROM sessions USING ending WHERE sessions.id = ending.id`,
    values: [account_id, id_hashes],
  });
  return rowCount ?? 0;
}

/** Sets the last-used time of sessions to now, at most once a minute each. Locked rows are skipped. */
export async function touchSessions(db: Pool, ids: readonly string[]): Promise<void> {
  await db.query({
    name: 'touch_sessions',
    text: `WITH used AS MATERIALIZED (
             SELECT id FROM sessions
              WHERE id = ANY ($1::bigint[])
                AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
              FOR NO KEY UPDATE SKIP LOCKED)
           UPDATE sessions SET last_used_at = now() FROM used WHERE sessions.id = used.id`,
    values: [ids],
  });
}
