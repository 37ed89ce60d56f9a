import type { Pool, PoolClient } from 'pg';
import { andLive, deadSessions, LAST_USED, type SessionLifetime } from './session-lifetime.ts';

/** A session to be made, and the client that makes it. */
export interface NewSession {
  readonly id: string;
  readonly account_id: string;
  /** SHA-256 of the token, hex. */
  readonly token_hash: string;
  /** Empty: the edge did not say. */
  readonly ip: string;
  readonly user_agent: string;
}

/** Live ones an account; those that were not used for longest make room, after those that time has ended. */
const MAX_SESSIONS = 200;

/**
 * Makes a session, in a transaction that holds the account (`lockAccount`).
 *
 * @returns how many others ended to make room
 */
export async function insertSession(
  tx: PoolClient,
  session: NewSession,
  lifetime: SessionLifetime,
): Promise<number> {
  // One after the other for each account, and a statement of its own: the next one then sees them all.
  await tx.query({
    name: 'lock_new_sessions',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('sessions ' || $1, 0))`,
    values: [session.account_id],
  });
  const deadLast = deadSessions(lifetime).map((dead) => `(${dead}), `);
  const { rows } = await tx.query<{ ended: number }>({
    name: 'insert_session',
    text: `WITH ending AS MATERIALIZED (
             SELECT id FROM sessions
              WHERE id IN (SELECT id FROM sessions WHERE account_id = $2
                            ORDER BY ${deadLast.join('')}${LAST_USED} DESC, id DESC OFFSET ${MAX_SESSIONS - 1})
              ORDER BY id FOR UPDATE),
           ended AS (DELETE FROM sessions USING ending WHERE sessions.id = ending.id RETURNING sessions.id)
           INSERT INTO sessions (id, account_id, token_hash, ip, user_agent)
           VALUES ($1, $2, decode($3, 'hex'), nullif($4, ''), nullif($5, ''))
           RETURNING (SELECT count(*)::int FROM ended) AS ended`,
    values: [session.id, session.account_id, session.token_hash, session.ip, session.user_agent],
  });
  return rows[0]?.ended ?? 0;
}

/** Holds a session until the transaction ends; false when it has ended. After the account's lock. */
export async function lockSession(tx: PoolClient, session_id: string, account_id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock_session',
    // KEY SHARE: nobody deletes it, and its last use can still be noted.
    text: 'SELECT FROM sessions WHERE id = $1 AND account_id = $2 FOR KEY SHARE',
    values: [session_id, account_id],
  });
  return rowCount === 1;
}

/** A live session, as its account may look at it. */
export interface Session {
  readonly id: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  /** Of its making, where it was not used since. */
  readonly last_used_at: Date;
}

/** An account's live sessions, newest created first. */
export async function listSessions(
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

/** Ends a session, and says whether it had not ended before. */
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
 * Ends all sessions of an account but one, or all; in a transaction that holds the account's row, and
 * in the order of their IDs, as everybody does who ends several: nobody waits for one that waits for them.
 *
 * @returns how many there were
 */
export async function endSessions(tx: PoolClient, account_id: string, except?: string): Promise<number> {
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

/** Ends those sessions of an account that are named by these (`sessionIdHash`), as `endSessions` does. */
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

/**
 * Says of sessions that they are used now, unless somebody did within the last minute. It waits for
 * nobody: one that is just being ended, or written, is passed over.
 */
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
