import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';
import { type Doomed, deleteSome, type GrantTable, STEP } from './delete-some.ts';
import { deleteLockedApplications, type EndedBot } from './ended-bots.ts';

const TABLES: readonly GrantTable[] = [
  'authorization_codes',
  'refresh_tokens',
  'access_tokens',
  'consumed_grants',
];

/**
 * Deletes an application with its codes and tokens; undefined: there is none. These go first, so that no statement takes
 * long. An aborted call keeps what it has deleted.
 */
export async function deleteApplication(
  db: Pool,
  id: string,
  signal: AbortSignal,
): Promise<EndedBot | undefined> {
  for (const table of TABLES)
    while ((await deleteSome(db, table, grantedTo(id))) === STEP) if (signal.aborted) throw cancelled();
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

function grantedTo(application_id: string): Doomed {
  return {
    keys: (table, key) => `SELECT ${key} FROM ${table} WHERE application_id = $1`,
    values: [application_id],
  };
}
