import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';
import { type Doomed, deleteSome } from './delete-some.ts';
import { deleteLockedApplications } from './ended-bots.ts';

/**
 * Deletes an account's codes and tokens and those of its applications, then the applications. No statement takes long,
 * however many rows there are. An aborted call keeps its partial deletions.
 */
export async function deleteAccount(db: Pool, account_id: string, signal: AbortSignal): Promise<void> {
  while (await deleteSomeTokens(db, account_id)) {
    if (signal.aborted) throw cancelled();
  }
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
  });
}

/**
 * Returns false if none was left. It counts the rows found, not those deleted: a concurrent call may delete some of
 * them first, and an exchange that consumes one issues another. It goes table by table, which avoids deadlocks with
 * transactions that lock rows of two, and in this order: once codes and refresh tokens are gone, no exchange can add
 * rows to the later tables.
 */
async function deleteSomeTokens(db: Pool, account_id: string): Promise<boolean> {
  const doomed = grantedByOrTo(account_id);
  const codes = await deleteSome(db, 'authorization_codes', doomed);
  const refresh = await deleteSome(db, 'refresh_tokens', doomed);
  const access = await deleteSome(db, 'access_tokens', doomed);
  const consumed = await deleteSome(db, 'consumed_grants', doomed);
  return codes + refresh + access + consumed > 0;
}

/** The account's grants, and the grants to its applications. */
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
