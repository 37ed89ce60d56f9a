import { inTransaction } from '@gatehouse/kit/db/transaction';
import { cancelled } from '@gatehouse/kit/fault';
import type { Pool } from 'pg';
import { CHUNK_ROWS, deleteChunk, TOKEN_TABLES, type TokenSelection } from './delete-chunk.ts';
import { type DeletedBot, deleteLockedApplications } from './deleted-bots.ts';

/**
 * Deletes an application after its codes and tokens, so that no statement takes long. An aborted call keeps its partial
 * deletions. Undefined if there is no such application.
 */
export async function deleteApplicationAndTokens(
  db: Pool,
  id: string,
  signal: AbortSignal,
): Promise<DeletedBot | undefined> {
  for (const table of TOKEN_TABLES)
    while ((await deleteChunk(db, table, tokensOfApplication(id))) === CHUNK_ROWS)
      if (signal.aborted) throw cancelled();
  return inTransaction(db, async (tx) => {
    // Locks the application before its codes and tokens. Exchanges and revocations lock in the same order, which avoids
    // deadlocks; tokens that they have just issued are deleted with the application.
    await tx.query({
      name: 'lock_application',
      text: 'SELECT FROM applications WHERE id = $1 FOR UPDATE',
      values: [id],
    });
    const [bot] = await deleteLockedApplications(tx, [id]);
    return bot;
  });
}

function tokensOfApplication(application_id: string): TokenSelection {
  return {
    keys: (table, key) => `SELECT ${key} FROM ${table} WHERE application_id = $1`,
    values: [application_id],
  };
}
