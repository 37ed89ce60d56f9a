import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';
import { deleteLockedApplications } from './ended-bots.ts';
import { endGrants } from './revoke-tokens.ts';

/** Tokens per statement: some milliseconds of work. */
const STEP = 5_000;

/**
 * Deletes an account's codes and tokens and those of its applications, then the applications. No statement takes long, however
 * many tokens there are. An aborted call keeps what it has deleted.
 */
export async function deleteAccount(db: Pool, account_id: string, signal: AbortSignal): Promise<void> {
  while (await deleteSomeTokens(db, account_id)) {
    if (signal.aborted) throw cancelled();
  }
  await endGrants(db, account_id);
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
 * Returns false if there were no tokens left. It counts the tokens found, not those deleted: a concurrent call for the
 * same account may delete some of them first.
 */
async function deleteSomeTokens(db: Pool, account_id: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: 'delete_some_tokens_of',
    text: `WITH doomed AS (
             SELECT id FROM access_tokens WHERE account_id = $1
             UNION ALL
             SELECT access_tokens.id FROM access_tokens
               JOIN applications ON applications.id = access_tokens.application_id
              WHERE applications.owner_id = $1
             LIMIT ${STEP}
           ), gone AS (
             DELETE FROM access_tokens WHERE id IN (SELECT id FROM doomed)
           )
           SELECT EXISTS (SELECT FROM doomed) AS found`,
    values: [account_id],
  });
  return rows[0]?.found === true;
}
