import type { PoolClient } from 'pg';

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
