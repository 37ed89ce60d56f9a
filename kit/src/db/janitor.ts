import type { Pool } from 'pg';
import { Status } from '../fault.ts';
import type { Logger } from '../log.ts';
import { databaseFault } from './errors.ts';
import { inTransaction } from './transaction.ts';

/** Rows that nobody needs any more. */
export interface Litter {
  readonly table: string;
  /** Which of its rows they are: SQL, of the code's own and never of a request. An index should find them. */
  readonly where: string;
}

export interface JanitorOptions {
  readonly db: Pool;
  readonly log: Logger;
  readonly litter: readonly Litter[];
  /** How often it looks; a minute unless given. */
  readonly every_ms?: number | undefined;
  /** Most rows a transaction; 500 unless given. */
  readonly batch?: number;
}

/**
 * Removes litter in the background, in small batches, each a transaction of its own. One replica at a
 * time does it; one that dies leaves nothing half done, and the next goes on.
 *
 * @returns how to end it: a batch that is under way is finished, and no other begun
 */
export function janitor(options: JanitorOptions): () => Promise<void> {
  const { db, log, litter, every_ms = 60_000, batch = 500 } = options;
  let closed = false;
  let round: Promise<void> | undefined;

  /** Undefined: another replica is at it, or this one is to end. */
  async function removeAll(rows: Litter): Promise<number | undefined> {
    let total = 0;
    for (;;) {
      const removed = closed ? undefined : await removeSome(db, rows, batch);
      if (removed === undefined) return undefined;
      total += removed;
      if (removed < batch) return total;
    }
  }

  async function clean(): Promise<void> {
    for (const rows of litter) {
      const { table } = rows;
      try {
        const removed = await removeAll(rows);
        if (removed === undefined) return;
        if (removed > 0) log.debug({ table, removed }, 'litter removed');
      } catch (error) {
        log.warn({ err: error, table }, 'litter could not be removed');
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

/** Removes a batch; undefined where another replica is removing one. Rows that somebody holds are left. */
function removeSome(db: Pool, { table, where }: Litter, batch: number): Promise<number | undefined> {
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [
      LOCK,
    ]);
    if (rows[0]?.mine !== true) return undefined;
    const { rowCount } = await tx.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
      [batch],
    );
    return rowCount ?? 0;
  });
}
