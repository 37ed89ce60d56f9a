import type { Pool, PoolClient } from 'pg';
import { andLive, LAST_USED, type SessionLifetime } from '../sessions/session-lifetime.ts';

/** SQL: the fingerprint of a token. */
const FINGERPRINT = "left(encode(token_hash, 'hex'), 16)";

/** A live session as operators see it. */
export interface AdminSessionRow {
  readonly id: string;
  readonly fingerprint: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date;
}

/** An account's live sessions, newest first. */
export async function findAdminSessions(
  db: Pool,
  account_id: string,
  limit: number,
  lifetime: SessionLifetime,
): Promise<AdminSessionRow[]> {
  const { rows } = await db.query<AdminSessionRow>({
    name: 'find_admin_sessions',
    text: `SELECT id, ${FINGERPRINT} AS fingerprint, ip, user_agent, created_at, ${LAST_USED} AS last_used_at
             FROM sessions WHERE account_id = $1${andLive(lifetime)}
            ORDER BY created_at DESC, id DESC LIMIT $2`,
    values: [account_id, limit],
  });
  return rows;
}

/** The second factors of an account. */
export interface AdminFactorsRow {
  readonly totp: boolean;
  /** Unused ones. */
  readonly backup_codes: number;
  /** Their names, oldest first. */
  readonly passkeys: readonly string[];
}

export async function findAdminFactors(db: Pool | PoolClient, account_id: string): Promise<AdminFactorsRow> {
  const { rows } = await db.query<AdminFactorsRow>({
    name: 'find_admin_factors',
    text: `SELECT EXISTS (SELECT FROM totp_factors WHERE account_id = $1) AS totp,
                  (SELECT count(*)::int FROM backup_codes
                    WHERE account_id = $1 AND consumed_at IS NULL) AS backup_codes,
                  ARRAY(SELECT name FROM webauthn_credentials WHERE account_id = $1
                         ORDER BY created_at, id) AS passkeys`,
    values: [account_id],
  });
  const [factors] = rows;
  if (factors === undefined) throw new Error('a SELECT without FROM has one row');
  return factors;
}

/** Deletes all second factors of an account, with its backup codes, in a transaction that has locked them. */
export async function deleteAllFactors(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'delete_all_factors',
    text: `WITH totp AS (DELETE FROM totp_factors WHERE account_id = $1),
                codes AS (DELETE FROM backup_codes WHERE account_id = $1)
           DELETE FROM webauthn_credentials WHERE account_id = $1`,
    values: [account_id],
  });
}

/** A session or a bot token. */
export interface FoundCredentialRow {
  readonly kind: 'session' | 'bot token';
  readonly account_id: string;
  readonly application_id: string | null;
}

/** The session or bot token whose hash begins with these 8 bytes, in hex. Suspension does not hide it. */
export async function findCredential(
  db: Pool,
  fingerprint: string,
  lifetime: SessionLifetime,
): Promise<FoundCredentialRow | undefined> {
  const rest = 64 - fingerprint.length;
  const inRange = "token_hash BETWEEN decode($1, 'hex') AND decode($2, 'hex')";
  const { rows } = await db.query<FoundCredentialRow>({
    name: 'find_credential',
    text: `SELECT 'session' AS kind, account_id, NULL::bigint AS application_id
             FROM sessions WHERE ${inRange}${andLive(lifetime)}
           UNION ALL
           SELECT 'bot token', application_id, application_id FROM bot_tokens WHERE ${inRange}
           LIMIT 1`,
    values: [fingerprint + '0'.repeat(rest), fingerprint + 'f'.repeat(rest)],
  });
  return rows[0];
}
