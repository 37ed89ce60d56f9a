import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';

/** Runs a transaction that may write events. After its commit, this process's readers look for them. */
export async function eventTransaction<T>(
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  work: (tx: PoolClient) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(db, work);
  eventsWritten();
  return result;
}
