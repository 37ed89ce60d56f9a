import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';

/** A transaction that may write events: once it is committed, the readers in this process look for them. */
export async function eventTransaction<T>(
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  work: (tx: PoolClient) => Promise<T>,
): Promise<T> {
  const result = await inTransaction(db, work);
  eventsWritten();
  return result;
}
