import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';

/** How many tokens go in one statement: some milliseconds of work. */
const STEP = 5_000;

/**
 * Deletes an account's tokens and those of its applications, then the applications. However many
 * tokens there are, no statement takes long, and a call that is cut short has done its part for good.
 */
export async function deleteAccount(db: Pool, account_id: string, signal: AbortSignal): Promise<void> {
  while (await deleteSomeTokens(db, account_id)) {
    if (signal.aborted) throw cancelled();
  }
  await inTransaction(db, async (tx) => {
    // Waits for an application that is being made of one; the next statement then sees it.
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
 * False: there were none. What counts is what it found, not what it deleted: somebody else may end the
 * same account and be faster with these.
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
