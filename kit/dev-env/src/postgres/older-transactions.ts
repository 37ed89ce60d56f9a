import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';

const TRANSACTION_POLL_MS = 5;

/**
 * Settles when every transaction of the server that began before this call has ended, in all databases. Snapshots
 * taken from then on have a higher `xmin` than all transactions that were committed before the call.
 */
export async function olderTransactionsEnded(db: Pool): Promise<void> {
  const { rows } = await db.query<{ xact_id: string }>('SELECT pg_current_xact_id()::text AS xact_id');
  const running = `SELECT FROM pg_current_snapshot() AS now WHERE pg_snapshot_xmin(now) <= $1::xid8`;
  while ((await db.query(running, [rows[0]?.xact_id])).rowCount !== 0) await delay(TRANSACTION_POLL_MS);
}
