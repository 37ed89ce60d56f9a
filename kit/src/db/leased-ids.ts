import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type Clock, systemClock } from '../clock.ts';
import { unavailable } from '../fault.ts';
import type { Logger } from '../log.ts';
import { snowflakes, snowflakeTime } from '../snowflake.ts';
import { inTransaction } from './transaction.ts';

/** Worker IDs, both ends included. */
export interface WorkerRange {
  readonly from: number;
  readonly to: number;
}

export interface LeasedIdsOptions {
  /** Its table worker_leases has the leases of a service's replicas. */
  readonly db: Pool;
  /** Of this service alone: services know nothing of each other's leases. */
  readonly workers: WorkerRange;
  readonly log: Logger;
  /** The time in the IDs. */
  readonly clock?: Clock;
  /** How long a lease lasts; a minute unless given. */
  readonly lease_ms?: number;
}

export interface LeasedIds {
  /** Makes an ID. @throws UNAVAILABLE while no worker ID is leased */
  next(): string;
  /** Whether a worker ID is leased. */
  isHeld(): boolean;
  /** Gives the worker ID back. */
  close(): Promise<void>;
}

const LEASE_MS = 60_000;
/** So many renewals may fail before the lease ends. */
const RENEWALS_A_LEASE = 6;

interface Lease {
  readonly worker: number;
  /** IDs have times of up to this: the next holder begins after it. */
  ids_until_ms: number;
  /** Until when the lease is held for certain, by performance.now(). */
  due_ms: number;
  /** The ID that was made last. */
  last?: string;
  readonly next: () => string;
}

/**
 * Makes IDs with a worker ID that no other replica has meanwhile. The worker ID is leased: a replica that cannot renew
 * in time stops making IDs, before another one can have its worker ID, and leases one anew. However wrong a replica's
 * clock is, no ID is made twice: a lease says how far its IDs' times may go, and the next holder begins after that.
 *
 * @throws where the database cannot be asked, or every worker ID of the range is leased
 */
export async function leasedIds(options: LeasedIdsOptions): Promise<LeasedIds> {
  const { db, workers, log, clock = systemClock, lease_ms = LEASE_MS } = options;
  const holder = randomUUID();
  let lease: Lease | undefined = await take();
  let renewing: Promise<void> | undefined;
  log.info({ worker: lease.worker }, 'leased a worker ID');

  const timer = setInterval(renew, lease_ms / RENEWALS_A_LEASE).unref();

  async function take(): Promise<Lease> {
    const due_ms = performance.now() + lease_ms; // before the server counts it
    const { worker_id: worker, ids_after_ms, ids_until_ms } = await takeLease(db, workers, holder, lease_ms);
    const next = snowflakes({ worker, clock, after_ms: ids_after_ms });
    return { worker, ids_until_ms, due_ms, next };
  }

  function renew(): void {
    renewing ??= renewOrTake()
      .catch((error: unknown) => log.warn({ err: error }, 'the lease of a worker ID could not be renewed'))
      .finally(() => {
        renewing = undefined;
      });
  }

  async function renewOrTake(): Promise<void> {
    if (lease !== undefined) {
      const due_ms = performance.now() + lease_ms;
      const ids_until_ms = await renewLease(db, lease.worker, holder, lease_ms);
      if (ids_until_ms !== undefined) {
        lease.due_ms = due_ms;
        lease.ids_until_ms = ids_until_ms;
        return;
      }
      log.error({ worker: lease.worker }, 'the lease of a worker ID is lost');
      lease = undefined;
    }
    lease = await take();
    log.info({ worker: lease.worker }, 'leased a worker ID');
  }

  function held(): Lease | undefined {
    if (lease === undefined || performance.now() >= lease.due_ms) return undefined;
    return systemClock() > lease.ids_until_ms ? undefined : lease;
  }

  return {
    next: () => {
      const current = held();
      if (current !== undefined) {
        current.last = current.next();
        return current.last;
      }
      renew();
      throw unavailable(new Error('no worker ID is leased'));
    },
    isHeld: () => held() !== undefined,
    close: async () => {
      clearInterval(timer);
      await renewing;
      const given = lease;
      lease = undefined; // no further IDs
      if (given !== undefined) await endLease(db, given, holder).catch(() => undefined); // it ends by itself
    },
  };
}

/** Any number, so long as every version of every service uses the same; locks are per database. */
const LOCK = 4_217_061_997;

interface TakenLease {
  readonly worker_id: number;
  readonly ids_after_ms: number;
  readonly ids_until_ms: number;
}

/** Takes a worker ID that nobody holds, and rather one whose IDs are all of the past: otherwise new ones are of the future. */
async function takeLease(
  db: Pool,
  { from, to }: WorkerRange,
  holder: string,
  lease_ms: number,
): Promise<TakenLease> {
  return inTransaction(db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const { rows } = await tx.query<{ worker_id: number; ids_after_ms: string }>(
      `SELECT free.worker_id, coalesce(ids_until_ms, 0) AS ids_after_ms
         FROM generate_series($1::integer, $2::integer) AS free (worker_id)
         LEFT JOIN worker_leases USING (worker_id)
        WHERE leased_until IS NULL OR leased_until <= now()
        ORDER BY coalesce(ids_until_ms, 0) > $3, free.worker_id LIMIT 1`,
      [from, to, systemClock()],
    );
    const [free] = rows;
    if (free === undefined) throw new Error(`all worker IDs from ${from} to ${to} are leased`);
    const ids_after_ms = Number(free.ids_after_ms);
    const ids_until_ms = Math.max(systemClock(), ids_after_ms) + lease_ms;
    await tx.query(
      `INSERT INTO worker_leases (worker_id, holder, leased_until, ids_until_ms)
       VALUES ($1, $2, now() + $3 * interval '1 millisecond', $4)
       ON CONFLICT (worker_id) DO UPDATE
         SET holder = excluded.holder, leased_until = excluded.leased_until, ids_until_ms = excluded.ids_until_ms`,
      [free.worker_id, holder, lease_ms, ids_until_ms],
    );
    return { worker_id: free.worker_id, ids_after_ms, ids_until_ms };
  });
}

/** Until when IDs may be made; undefined where the lease is another's. */
async function renewLease(
  db: Pool,
  worker: number,
  holder: string,
  lease_ms: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ ids_until_ms: string }>({
    name: 'renew_worker_lease',
    text: `UPDATE worker_leases
              SET leased_until = now() + $3 * interval '1 millisecond', ids_until_ms = greatest(ids_until_ms, $4)
            WHERE worker_id = $1 AND holder = $2
        RETURNING ids_until_ms`,
    values: [worker, holder, lease_ms, systemClock() + lease_ms],
  });
  return rows[0] && Number(rows[0].ids_until_ms);
}

async function endLease(db: Pool, { worker, last }: Lease, holder: string): Promise<void> {
  await db.query(
    `UPDATE worker_leases SET leased_until = now(), ids_until_ms = $3 WHERE worker_id = $1 AND holder = $2`,
    [worker, holder, last === undefined ? systemClock() : snowflakeTime(last)],
  );
}
