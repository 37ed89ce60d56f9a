import type { Pool, PoolClient } from 'pg';
import type { Role } from '../role.ts';

type Db = Pool | PoolClient;

export interface NewSession {
  readonly token_hash: Buffer;
  readonly operator: string;
  readonly ip: string;
  /** Opened by a one-time link, to set up how to sign in. */
  readonly enrolling: boolean;
}

/** A live session with its operator. */
export interface SessionRow {
  readonly name: string;
  readonly role: Role;
  readonly ip: string;
  readonly enrolling: boolean;
  /** Whether the operator has a password with TOTP, or a passkey. */
  readonly has_factor: boolean;
  /** Whether its use was last written over a minute ago. */
  readonly is_stale: boolean;
}

/** Sessions of one operator. A further one ends the oldest. */
const MAX_SESSIONS = 10;

/** Unused for an hour, or open for twelve, a session has ended; one that sets up a sign-in after 15 minutes. */
const IS_LIVE = `last_used_at > now() - interval '1 hour'
  AND sessions.created_at > now() - CASE WHEN enrolling THEN interval '15 minutes' ELSE interval '12 hours' END`;

export async function insertSession(
  db: Db,
  { token_hash, operator, ip, enrolling }: NewSession,
): Promise<void> {
  await db.query({
    name: 'insert_session',
    text: `WITH oldest AS (
             DELETE FROM sessions WHERE token_hash IN (
               SELECT token_hash FROM sessions WHERE operator = $2 ORDER BY created_at DESC OFFSET $5))
           INSERT INTO sessions (token_hash, operator, ip, enrolling) VALUES ($1, $2, $3, $4)`,
    values: [token_hash, operator, ip, enrolling, MAX_SESSIONS - 1],
  });
}

export async function findSession(db: Db, token_hash: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await db.query<SessionRow>({
    name: 'find_session',
    text: `SELECT name, role, ip, enrolling, last_used_at < now() - interval '1 minute' AS is_stale,
                  password_hash IS NOT NULL OR EXISTS (SELECT FROM passkeys WHERE operator = name) AS has_factor
             FROM sessions JOIN operators ON name = operator
            WHERE token_hash = $1 AND ${IS_LIVE}`,
    values: [token_hash],
  });
  return rows[0];
}

export async function touchSession(db: Db, token_hash: Buffer): Promise<void> {
  await db.query({
    name: 'touch_session',
    text: 'UPDATE sessions SET last_used_at = now() WHERE token_hash = $1',
    values: [token_hash],
  });
}

/** Returns false if there is no such session any more. */
export async function deleteSession(db: Db, token_hash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'delete_session',
    text: 'DELETE FROM sessions WHERE token_hash = $1',
    values: [token_hash],
  });
  return rowCount === 1;
}

/** Keeps the TOTP secret that is being set up. */
export async function setTotpDraft(db: Db, token_hash: Buffer, totp_draft: Buffer): Promise<void> {
  await db.query({
    name: 'set_totp_draft',
    text: 'UPDATE sessions SET totp_draft = $2 WHERE token_hash = $1',
    values: [token_hash, totp_draft],
  });
}

/** Undefined if no secret is being set up. */
export async function findTotpDraft(db: Db, token_hash: Buffer): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ totp_draft: Buffer | null }>({
    name: 'find_totp_draft',
    text: 'SELECT totp_draft FROM sessions WHERE token_hash = $1',
    values: [token_hash],
  });
  return rows[0]?.totp_draft ?? undefined;
}
