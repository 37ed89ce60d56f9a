import type { Pool, PoolClient } from 'pg';
import { Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import { type PeriodicJob, periodicJob } from '../periodic-job.ts';
import { databaseFault } from './errors.ts';
import { inTransaction } from './transaction.ts';

/** The rows of a table that expire. */
export interface ExpiredRows {
  readonly table: string;
  /** SQL condition for expired rows, from code and never from a request. An index should support it. */
  readonly where: string;
  /**
   * For a condition that no index supports: an indexed, unique integer column. Each round scans the next page of it,
   * some thousand rows.
   */
  readonly paged_by?: string;
  /** Maximum rows per transaction, if it is not the job's: fewer of rows that others end with (ON DELETE CASCADE). */
  readonly batch?: number;
}

export interface RetentionJobOptions {
  readonly db: Pool;
  readonly log: Logger;
  readonly expired: readonly ExpiredRows[];
  /** Interval. Default: a minute. */
  readonly every_ms?: number | undefined;
  /** Called after each commit that removed rows. */
  readonly onRemoved?: () => void;
  /** Maximum rows per transaction. Default: 500. */
  readonly batch?: number;
}

/**
 * Removes expired rows in the background, in small batches, each in a transaction of its own. One replica works at a
 * time. If it dies, its batch is rolled back, and another replica continues. `close` waits for the current batch only.
 */
export function retentionJob(options: RetentionJobOptions): PeriodicJob {
  const { db, log, expired, every_ms = 60_000, onRemoved = () => undefined, batch = 500 } = options;
  const pages = new Map<ExpiredRows, string>();

  /** Returns undefined if another replica is working, or this one is closing. */
  async function removeAll(rows: ExpiredRows, closing: AbortSignal): Promise<number | undefined> {
    const most = rows.batch ?? batch;
    let total = 0;
    for (;;) {
      const removed = closing.aborted ? undefined : await removeBatch(db, rows, most);
      if (removed === undefined) return undefined;
      if (removed > 0) onRemoved();
      total += removed;
      if (removed < most) return total;
    }
  }

  /** Returns undefined if another replica is working. */
  async function removeFromPage(rows: ExpiredRows, column: string): Promise<number | undefined> {
    const page = await removePage(db, rows, column, pages.get(rows) ?? BEFORE_FIRST);
    pages.set(rows, page?.next ?? BEFORE_FIRST);
    if (page !== undefined && page.removed > 0) onRemoved();
    return page?.removed;
  }

  return periodicJob(every_ms, async (closing) => {
    for (const rows of expired) {
      const { table, paged_by } = rows;
      try {
        const removed = await (paged_by === undefined
          ? removeAll(rows, closing)
          : removeFromPage(rows, paged_by));
        if (removed === undefined) return;
        if (removed > 0) log.debug({ table, removed }, 'expired rows removed');
      } catch (error) {
        log.warn({ err: error, table }, 'expired rows could not be removed');
        if (databaseFault(error)?.status === Status.UNAVAILABLE) return; // the next table would fail as well
      }
    }
  });
}

/** An arbitrary number that every version of every service uses; advisory locks are per database. */
const RETENTION_LOCK = 4_217_061_996;

/** Below every value of a paging column. */
const BEFORE_FIRST = '-1';
const PAGE_ROWS = 5_000;

/** Tries to become the replica that removes rows, until the transaction ends. */
async function tryLock(tx: PoolClient): Promise<boolean> {
  const { rows } = await tx.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [
    RETENTION_LOCK,
  ]);
  return rows[0]?.mine === true;
}

/** Removes expired rows after `from`. Returns where the next page begins; undefined after the last page. */
function removePage(
  db: Pool,
  { table, where }: ExpiredRows,
  column: string,
  from: string,
): Promise<{ removed: number; next: string | undefined } | undefined> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLock(tx))) return undefined;
    const { rows } = await tx.query<{ last: string | null; count: number }>(
      `SELECT max(${column})::text AS last, count(*)::integer AS count
         FROM (SELECT ${column} FROM ${table} WHERE ${column} > $1 ORDER BY ${column} LIMIT $2) AS page`,
      [from, PAGE_ROWS],
    );
    const [page] = rows;
    if (page?.last === null || page === undefined) return { removed: 0, next: undefined };
    const { rowCount } = await tx.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${column} > $1 AND ${column} <= $2 AND ${where} FOR UPDATE SKIP LOCKED))`,
      [from, page.last],
    );
    return { removed: rowCount ?? 0, next: page.count < PAGE_ROWS ? undefined : page.last };
  });
}

/** Removes a batch; undefined if another replica is removing one. Skips locked rows. */
function removeBatch(db: Pool, { table, where }: ExpiredRows, batch: number): Promise<number | undefined> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLock(tx))) return undefined;
    const { rowCount } = await tx.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [batch],
    );
    return rowCount ?? 0;
  });
}
