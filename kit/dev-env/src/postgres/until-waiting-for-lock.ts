import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';

const LOCK_WAIT_TIMEOUT_MS = 10_000;
const LOCK_POLL_MS = 10;

/**
 * Settles when this many statements wait for a lock in the connected database, so that the holder of the lock knows
 * how far the others are. There may be more, because background work waits for a locked table too.
 *
 * @throws Error after 10 s
 */
export async function untilWaitingForLock(db: Pool | ClientBase, count: number): Promise<void> {
  const end = performance.now() + LOCK_WAIT_TIMEOUT_MS;
  for (;;) {
    // A transaction sees the states of other connections unchanged until it ends.
    await db.query('SELECT pg_stat_clear_snapshot()');
    const { rowCount } = await db.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if ((rowCount ?? 0) >= count) return;
    if (performance.now() > end) throw new Error(`${rowCount} statements wait for a lock, not ${count}`);
    await sleep(LOCK_POLL_MS);
  }
}
