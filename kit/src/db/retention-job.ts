import type { Pool, PoolClient } from 'pg';
import { Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import { databaseFault } from './errors.ts';
import { inTransaction } from './transaction.ts';

/** Rows that are no longer needed. */
export interface ExpiredRows {
  readonly table: string;
  /** Which of its rows they are: SQL, of the code's own and never of a request. An index should find them. */
  readonly where: string;
  /**
   * Where no index does: an indexed column of whole numbers that no two rows share. Of such a table some thousand rows
   * are looked at in each round, one part after the other.
   */
  readonly paged_by?: string;
}

export interface RetentionJobOptions {
  readonly db: Pool;
  readonly log: Logger;
  readonly expired: readonly ExpiredRows[];
  /** How often it looks; a minute unless given. */
  readonly every_ms?: number | undefined;
  /** Most rows a transaction; 500 unless given. */
  readonly batch?: number;
}

/**
 * Removes expired rows in the background, in small batches, each a transaction of its own. One replica at a
 * time does it; one that dies leaves nothing half done, and the next goes on.
 *
 * @returns how to end it: a batch that is under way is finished, and no other begun
 */
export function retentionJob(options: RetentionJobOptions): () => Promise<void> {
  const { db, log, expired, every_ms = 60_000, batch = 500 } = options;
  const pages = new Map<ExpiredRows, string>();
  let closed = false;
  let round: Promise<void> | undefined;

  /** Undefined: another replica is at it, or this one is to end. */
  async function removeAll(rows: ExpiredRows): Promise<number | undefined> {
    let total = 0;
    for (;;) {
      const removed = closed ? undefined : await removeSome(db, rows, batch);
      if (removed === undefined) return undefined;
      total += removed;
      if (removed < batch) return total;
    }
  }

  /** Undefined: another replica is at it. */
  async function removeFromPage(rows: ExpiredRows, column: string): Promise<number | undefined> {
    const page = await removePage(db, rows, column, pages.get(rows) ?? FIRST);
    pages.set(rows, page?.next ?? FIRST);
    return page?.removed;
  }

  async function clean(): Promise<void> {
    for (const rows of expired) {
      const { table, paged_by } = rows;
      try {
        const removed = await (paged_by === undefined ? removeAll(rows) : removeFromPage(rows, paged_by));
        if (removed === undefined) return;
        if (removed > 0) log.debug({ table, removed }, 'expired rows removed');
      } catch (error) {
        log.warn({ err: error, table }, 'expired rows could not be removed');
        if (databaseFault(error)?.status === Status.UNAVAILABLE) return; // nor could the next table's
      }
    }
  }

  const timer = setInterval(() => {
    round ??= clean().finally(() => {
      round = undefined;
    });
  }, every_ms).unref();

  return async () => {
    closed = true;
    clearInterval(timer);
    await round;
  };
}

/** Any number, so long as every version of every service uses the same; locks are per database. */
const LOCK = 4_217_061_996;

/** Below every number of a column that pages go by. */
const FIRST = '-1';
const PAGE_ROWS = 5_000;

/** Whether this replica is the one that removes, until the transaction ends. */
async function takeTurn(tx: PoolClient): Promise<boolean> {
  const { rows } = await tx.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [LOCK]);
  return rows[0]?.mine === true;
}

/** Removes what has expired of the rows after `from`; where the next page begins is undefined after the last. */
function removePage(
  db: Pool,
  { table, where }: ExpiredRows,
  column: string,
  from: string,
): Promise<{ removed: number; next: string | undefined } | undefined> {
  return inTransaction(db, async (tx) => {
    if (!(await takeTurn(tx))) return undefined;
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

/** Removes a batch; undefined where another replica is removing one. Rows that somebody holds are left. */
function removeSome(db: Pool, { table, where }: ExpiredRows, batch: number): Promise<number | undefined> {
  return inTransaction(db, async (tx) => {
    if (!(await takeTurn(tx))) return undefined;
    const { rowCount } = await tx.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [batch],
    );
    return rowCount ?? 0;
  });
}
