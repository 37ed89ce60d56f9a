import type { Pool, PoolClient } from 'pg';

/** The sudo state of a live session and its account. */
export interface SudoState {
  readonly account_id: string;
  readonly password_hash: string | null;
  readonly password_changed_at: Date | null;
  readonly totp: boolean;
  readonly webauthn: boolean;
  /** Whether the session has a live grant. */
  readonly granted: boolean;
  /**
   * Identifies the account's second factors: it changes when one is added or removed, but not when one is re-encrypted.
   */
  readonly factors: string;
}

/** Undefined if the session has ended. */
export async function findSudoState(
  db: Pool | PoolClient,
  account_id: string,
  session_id: string,
): Promise<SudoState | undefined> {
  const { rows } = await db.query<SudoState>({
    name: 'find_sudo_state',
    text: `SELECT accounts.id AS account_id, password_hash, password_changed_at,
                  EXISTS (SELECT FROM totp_factors WHERE account_id = accounts.id) AS totp,
                  EXISTS (SELECT FROM webauthn_credentials WHERE account_id = accounts.id) AS webauthn,
                  EXISTS (SELECT FROM sudo_grants
                           WHERE session_id = sessions.id AND expires_at > now()) AS granted,
                  concat((SELECT created_at FROM totp_factors WHERE account_id = accounts.id), ' ',
                         (SELECT string_agg(id, ' ' ORDER BY id) FROM webauthn_credentials
                           WHERE account_id = accounts.id)) AS factors
             FROM accounts JOIN sessions ON sessions.account_id = accounts.id
            WHERE accounts.id = $1 AND sessions.id = $2`,
    values: [account_id, session_id],
  });
  return rows[0];
}

/** Grants sudo mode to a session for five minutes, in a transaction that has locked the session. */
export async function saveSudoGrant(tx: PoolClient, session_id: string): Promise<Date> {
  const { rows } = await tx.query<{ expires_at: Date }>({
    name: 'save_sudo_grant',
    text: `INSERT INTO sudo_grants (session_id, expires_at) VALUES ($1, now() + interval '5 minutes')
           ON CONFLICT (session_id) DO UPDATE SET expires_at = excluded.expires_at
           RETURNING expires_at`,
    values: [session_id],
  });
  const [grant] = rows;
  if (grant === undefined) throw new Error('the upsert returned no row');
  return grant.expires_at;
}

/** Ends the grants of an account's other sessions, in a transaction that has locked the account exclusively. */
export async function endOtherSudoGrants(
  tx: PoolClient,
  account_id: string,
  session_id: string,
): Promise<void> {
  await tx.query({
    name: 'end_other_sudo_grants',
    text: `DELETE FROM sudo_grants USING sessions
            WHERE sessions.id = session_id AND account_id = $1 AND session_id <> $2`,
    values: [account_id, session_id],
  });
}

/** Ends the grants of all sessions of an account, in a transaction that has locked the account exclusively. */
export async function endSudoGrants(tx: PoolClient, account_id: string): Promise<void> {
  await tx.query({
    name: 'end_sudo_grants',
    text: `DELETE FROM sudo_grants USING sessions WHERE sessions.id = session_id AND account_id = $1`,
    values: [account_id],
  });
}
