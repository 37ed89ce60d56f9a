import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';

const WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 10;

/**
 * Resolves once so many statements wait for a lock in the database that `db` is connected to: whoever holds the lock
 * knows then that the others have come as far as it. There may be more: what a process does in the background waits for
 * a table that is locked, too.
 *
 * @throws Error when that has not happened within 10 s
 */
export async function lockWaiters(db: Pool | ClientBase, count: number): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    // What a transaction has seen of other connections' states it goes on seeing until it ends.
    await db.query('SELECT pg_stat_clear_snapshot()');
    const { rowCount } = await db.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if ((rowCount ?? 0) >= count) return;
    if (performance.now() > end) throw new Error(`${rowCount} statements wait for a lock, not ${count}`);
    await sleep(LOOK_EVERY_MS);
  }
}
