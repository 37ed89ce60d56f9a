import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';

/** Rows of a table per statement: some milliseconds of work. */
const STEP = 5_000;

/**
 * Deletes an account's codes and tokens and those of its applications, then the applications. No statement takes long,
 * however many there are. An aborted call keeps what it has deleted.
 */
export async function deleteAccount(db: Pool, account_id: string, signal: AbortSignal): Promise<void> {
  while (await deleteSomeTokens(db, account_id)) {
    if (signal.aborted) throw cancelled();
  }
  await inTransaction(db, async (tx) => {
    // Waits if a reservation is just turned into an application. The next statement then sees the application.
    await tx.query({
      name: 'delete_reservations_of',
      text: 'DELETE FROM application_reservations WHERE owner_id = $1',
      values: [account_id],
    });
    await tx.query({
      name: 'delete_applications_of',
      text: 'DELETE FROM applications WHERE owner_id = $1',
      values: [account_id],
    });
  });
}

/**
 * Returns false if there were none left. It counts those found, not those deleted: a concurrent call for the same
 * account may delete some of them first, and an exchange that consumes one issues another. Codes and refresh tokens are
 * locked in the order in which exchanges lock them.
 */
async function deleteSomeTokens(db: Pool, account_id: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: 'delete_some_tokens_of',
    text: `WITH codes AS MATERIALIZED (${doomed('authorization_codes', 'code_hash')}),
           held_codes AS MATERIALIZED (
             SELECT code_hash FROM authorization_codes WHERE code_hash IN (SELECT code_hash FROM codes)
             ORDER BY code_hash FOR UPDATE
           ), gone_codes AS (
             DELETE FROM authorization_codes WHERE code_hash IN (SELECT code_hash FROM held_codes)
           ), refresh AS MATERIALIZED (${doomed('refresh_tokens', 'token_hash')}),
           held_refresh AS MATERIALIZED (
             SELECT token_hash FROM refresh_tokens WHERE token_hash IN (SELECT token_hash FROM refresh)
             ORDER BY token_hash FOR UPDATE
           ), gone_refresh AS (
             DELETE FROM refresh_tokens WHERE token_hash IN (SELECT token_hash FROM held_refresh)
           ), access AS MATERIALIZED (${doomed('access_tokens', 'id')}),
           gone_access AS (
             DELETE FROM access_tokens WHERE id IN (SELECT id FROM access)
           )
           SELECT EXISTS (SELECT FROM codes) OR EXISTS (SELECT FROM refresh) OR EXISTS (SELECT FROM access) AS found`,
    values: [account_id],
  });
  return rows[0]?.found === true;
}

/** SQL: some rows of a table that the account granted, or that belong to its applications. */
function doomed(table: string, key: string): string {
  return `SELECT ${key} FROM ${table} WHERE account_id = $1
          UNION ALL
          SELECT ${table}.${key} FROM ${table} JOIN applications ON applications.id = ${table}.application_id
           WHERE applications.owner_id = $1
          LIMIT ${STEP}`;
}
