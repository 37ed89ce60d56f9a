import type { Pool } from 'pg';

/** A session to be made, and the client that makes it. */
export interface NewSession {
  readonly id: string;
  /** SHA-256 of the token, hex. */
  readonly token_hash: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

/**
 * Makes a session for an account whose password was just proven. It is not made, and the answer is
 * false, if the password has changed since: the row lock waits for a change under way, so that one
 * which ends all sessions leaves none behind.
 */
export async function insertSession(
  db: Pool,
  session: NewSession,
  account: { readonly id: string; readonly password_hash: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert_session',
    text: `INSERT INTO sessions (id, account_id, token_hash, ip, user_agent)
           SELECT $1::bigint, id, decode($2, 'hex'), $3::text, $4::text
             FROM accounts WHERE id = $5 AND password_hash = $6 FOR SHARE`,
    values: [
      session.id,
      session.token_hash,
      session.ip,
      session.user_agent,
      account.id,
      account.password_hash,
    ],
  });
  return rowCount === 1;
}

/** Ends a session; one that has ended already is no error. */
export async function deleteSession(db: Pool, sessionId: string, accountId: string): Promise<void> {
  await db.query({
    name: 'delete_session',
    text: 'DELETE FROM sessions WHERE id = $1 AND account_id = $2',
    values: [sessionId, accountId],
  });
}
