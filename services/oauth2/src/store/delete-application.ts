import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';
import { deleteLockedApplications, type EndedBot } from './ended-bots.ts';

/** Tokens per statement: some milliseconds of work. */
const STEP = 5_000;

/**
 * Deletes an application with its codes and tokens; undefined: there is none. The tokens go first, so that no statement
 * takes long. An aborted call keeps what it has deleted.
 */
export async function deleteApplication(
  db: Pool,
  id: string,
  signal: AbortSignal,
): Promise<EndedBot | undefined> {
  while (await deleteSomeTokens(db, id)) {
    if (signal.aborted) throw cancelled();
  }
  return inTransaction(db, async (tx) => {
    // Before any row that hangs on it. Who exchanges or revokes tokens holds it too before locking them, so nobody waits
    // in a circle; and what an exchange has issued meanwhile goes with the application.
    await tx.query({
      name: 'lock_application',
      text: 'SELECT FROM applications WHERE id = $1 FOR UPDATE',
      values: [id],
    });
    const [bot] = await deleteLockedApplications(tx, [id]);
    return bot;
  });
}

/** Returns false if none were left but those that somebody else holds, for which the application's own deletion waits. */
async function deleteSomeTokens(db: Pool, id: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>({
    name: 'delete_some_tokens_of_application',
    text: `WITH access AS MATERIALIZED (
             SELECT id FROM access_tokens WHERE application_id = $1 LIMIT ${STEP} FOR UPDATE SKIP LOCKED
           ), refresh AS MATERIALIZED (
             SELECT id FROM refresh_tokens WHERE application_id = $1 LIMIT ${STEP} FOR UPDATE SKIP LOCKED
           ), consumed AS MATERIALIZED (
             SELECT grant_hash FROM consumed_grants WHERE application_id = $1 LIMIT ${STEP} FOR UPDATE SKIP LOCKED
           ), no_access AS (
             DELETE FROM access_tokens WHERE id IN (SELECT id FROM access)
           ), no_refresh AS (
             DELETE FROM refresh_tokens WHERE id IN (SELECT id FROM refresh)
           ), no_consumed AS (
             DELETE FROM consumed_grants WHERE grant_hash IN (SELECT grant_hash FROM consumed)
           )
           SELECT EXISTS (SELECT FROM access) OR EXISTS (SELECT FROM refresh)
               OR EXISTS (SELECT FROM consumed) AS found`,
    values: [id],
  });
  return rows[0]?.found === true;
}
