import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';
import { deleteChunk, TOKEN_TABLES, type TokenSelection } from './delete-chunk.ts';
import { deleteLockedApplications } from './deleted-bots.ts';

/**
 * Deletes an account's codes and tokens and those of its applications, then the applications. No statement takes long,
 * however many rows there are. An aborted call keeps its partial deletions.
 */
export async function deleteAccount(db: Pool, account_id: string, signal: AbortSignal): Promise<void> {
  while ((await deleteChunks(db, account_id)) > 0) if (signal.aborted) throw cancelled();
  await inTransaction(db, async (tx) => {
    // Waits for a concurrent statement that turns a reservation into an application, so that the next statement sees
    // the application.
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
    await tx.query({
      name: 'delete_suspension_of',
      text: 'DELETE FROM suspended_accounts WHERE account_id = $1',
      values: [account_id],
    });
  });
}

/**
 * Deletes a chunk of each table, and returns how many rows it found. It does not count deleted rows, because a
 * concurrent call may delete some of them first, and an exchange adds a row for the one that it consumes. A statement
 * per table avoids deadlocks with transactions that lock rows of two.
 */
async function deleteChunks(db: Pool, account_id: string): Promise<number> {
  let found = 0;
  for (const table of TOKEN_TABLES) found += await deleteChunk(db, table, tokensOfAccount(account_id));
  return found;
}

/** The account's codes and tokens, and those for its applications. */
function tokensOfAccount(account_id: string): TokenSelection {
  return {
    keys: (table, key) => `
      SELECT ${key} FROM ${table} WHERE account_id = $1
      UNION ALL
      SELECT ${table}.${key} FROM ${table} JOIN applications ON applications.id = ${table}.application_id
       WHERE applications.owner_id = $1`,
    values: [account_id],
  };
}
