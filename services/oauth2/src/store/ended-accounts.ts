import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';
import { deleteLockedApplications } from './ended-bots.ts';

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
    const { rows } = await tx.query<{ id: string }>({
      name: 'lock_applications_of',
      text: 'SELECT id FROM applications WHERE owner_id = $1 ORDER BY id FOR UPDATE',
      values: [account_id],
    });
    await deleteLockedApplications(
      tx,
      rows.map(({ id }) => id),
    );
  });
}

/**
 * Returns false if there were none left. A table at a time, so that nobody who locks rows of two is met in a circle; and
 * in this order: when there is neither code nor refresh token, no exchange can add to the tables that follow.
 */
async function deleteSomeTokens(db: Pool, account_id: string): Promise<boolean> {
  const codes = await deleteSome(db, 'authorization_codes', 'code_hash', account_id);
  const refresh = await deleteSome(db, 'refresh_tokens', 'token_hash', account_id);
  const access = await deleteSome(db, 'access_tokens', 'token_hash', account_id);
  const consumed = await deleteSome(db, 'consumed_grants', 'grant_hash', account_id);
  return codes || refresh || access || consumed;
}

/**
 * Deletes some rows of a table that the account granted, or that belong to its applications. It counts those found, not
 * those deleted: a concurrent call for the same account may delete some of them first, and an exchange that consumes one
 * issues another. They are locked in the order of their hashes, as everybody does who locks several.
 */
async function deleteSome(db: Pool, table: string, key: string, account_id: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: `delete_some_${table}_of`,
    text: `WITH doomed AS MATERIALIZED (
             SELECT ${key} FROM ${table} WHERE account_id = $1
             UNION ALL
             SELECT ${table}.${key} FROM ${table} JOIN applications ON applications.id = ${table}.application_id
              WHERE applications.owner_id = $1
             LIMIT ${STEP}
           ), held AS MATERIALIZED (
             SELECT ${key} FROM ${table} WHERE ${key} IN (SELECT ${key} FROM doomed) ORDER BY ${key} FOR UPDATE
           ), gone AS (
             DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM held)
           )
           SELECT EXISTS (SELECT FROM doomed) AS found`,
    values: [account_id],
  });
  return rows[0]?.found === true;
}
