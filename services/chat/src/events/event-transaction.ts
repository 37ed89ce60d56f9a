import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';

/** The dependencies of a transaction that may write events. */
export type EventDeps = Pick<Deps, 'db' | 'eventsWritten'>;

/** Runs a transaction that may write events. After its commit, this process's readers look for them. */
export async function eventTransaction<T>(
  { db, eventsWritten }: EventDeps,
  work: (tx: PoolClient) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(db, work);
  eventsWritten();
  return result;
}
