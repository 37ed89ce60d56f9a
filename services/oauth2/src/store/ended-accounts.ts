import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';
import { type Doomed, deleteSome } from './delete-some.ts';
import { deleteLockedApplications } from './ended-bots.ts';

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
 * Returns false if there were none left. It counts those found, not those deleted: a concurrent call for the same account
 * may delete some of them first, and an exchange that consumes one issues another. A table at a time, so that nobody who
 * locks rows of two is met in a circle; and in this order: when there is neither code nor refresh token, no exchange can
 * add to the tables that follow.
 */
async function deleteSomeTokens(db: Pool, account_id: string): Promise<boolean> {
  const doomed = grantedByOrTo(account_id);
  const codes = await deleteSome(db, 'authorization_codes', doomed);
  const refresh = await deleteSome(db, 'refresh_tokens', doomed);
  const access = await deleteSome(db, 'access_tokens', doomed);
  const consumed = await deleteSome(db, 'consumed_grants', doomed);
  return codes + refresh + access + consumed > 0;
}

/** What the account granted, and what its applications were granted. */
function grantedByOrTo(account_id: string): Doomed {
  return {
    keys: (table, key) => `
      SELECT ${key} FROM ${table} WHERE account_id = $1
      UNION ALL
      SELECT ${table}.${key} FROM ${table} JOIN applications ON applications.id = ${table}.application_id
       WHERE applications.owner_id = $1`,
    values: [account_id],
  };
}
