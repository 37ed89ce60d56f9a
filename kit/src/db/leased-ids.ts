import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type Clock, systemClock } from '../clock.ts';
import { unavailable } from '../fault.ts';
import type { Logger } from '../log.ts';
import { snowflakes, snowflakeTime } from '../snowflake.ts';
import { throttledLog } from '../throttled-log.ts';
import { withTimeout } from '../with-timeout.ts';
import { endLease, renewLease, takeLease, type WorkerRange } from './worker-leases.ts';

export interface LeasedIdsOptions {
  /** Its table worker_leases has the leases of a service's replicas. */
  readonly db: Pool;
  /** Of this service alone: services know nothing of each other's leases. */
  readonly workers: WorkerRange;
  readonly log: Logger;
  /** The time in the IDs. */
  readonly clock?: Clock;
  /** How long nobody else gets the worker ID after a renewal; a minute unless given. */
  readonly lease_ms?: number;
}

export interface LeasedIds {
  /** Makes an ID. @throws UNAVAILABLE while no worker ID is leased */
  next(): string;
  /** Whether IDs can be made. */
  isHeld(): boolean;
  /** Makes no further IDs, and gives the worker ID back. */
  close(): Promise<void>;
}

const LEASE_MS = 60_000;
/** Of a lease, until it is renewed. */
const RENEW_SHARE = 1 / 6;
/**
 * Of a lease, how long its holder makes IDs without a renewal. The rest is for clocks that differ in speed, and for
 * the last renewals, which a database that fails over may lose.
 */
const HELD_SHARE = 3 / 4;
/** After a failure, for so long calls try nothing: there may be hundreds a second. Half as long again at most. */
const PAUSE_MS = 200;
/** A database that does not answer must not keep a process from its end. */
const CLOSE_WITHIN_MS = 2_000;

interface Lease {
  readonly worker: number;
  /** IDs have times of up to this: the next holder begins after it. */
  ids_until_ms: number;
  /** The time of the last ID with this worker ID, by whichever holder. */
  last_ms: number;
  /** Until when the lease is held for certain, by performance.now(). */
  due_ms: number;
  readonly next: () => string;
}

/**
 * Makes IDs with a worker ID that is leased, so that no other replica has it meanwhile
 * (docs/decisions/worker-ids.md). A replica that cannot renew its lease in time stops making IDs, and leases another
 * worker ID. However wrong clocks are, no ID is made twice: a lease says how far its IDs' times may go, and the next
 * holder begins after that.
 *
 * @throws where the database cannot be asked, or every worker ID of the range is leased
 */
export async function leasedIds(options: LeasedIdsOptions): Promise<LeasedIds> {
  const { db, workers, log, clock = systemClock, lease_ms = LEASE_MS } = options;
  const holder = randomUUID();
  /** The time of the last ID that was made here: those that follow are later, whichever their worker ID. */
  let last_ms = 0;
  let lease: Lease | undefined = await take();
  let renewing: Promise<void> | undefined;
  let closed = false;
  /** By performance.now(). */
  let paused_until_ms = 0;
  const sayFailed = throttledLog<Failed>((times, { what, error }) => log.warn({ err: error, times }, what));

  const timer = setInterval(renew, lease_ms * RENEW_SHARE).unref();

  async function take(): Promise<Lease> {
    const due_ms = performance.now() + lease_ms * HELD_SHARE; // before the server counts it
    const { worker, ids_after_ms, ids_until_ms } = await takeLease(db, {
      workers,
      holder,
      lease_ms,
      now_ms: now(),
    });
    const taken: Lease = {
      worker,
      ids_until_ms,
      last_ms: ids_after_ms,
      due_ms,
      next: snowflakes({
        worker,
        clock: () => Math.min(clock(), taken.ids_until_ms), // a clock that leaps ahead is followed once the lease is
        after_ms: Math.max(ids_after_ms, last_ms),
      }),
    };
    log.info({ worker }, 'leased a worker ID');
    return taken;
  }

  /** At the earliest, the time of the next ID. */
  function now(): number {
    return Math.max(clock(), last_ms);
  }

  function renew(): void {
    if (closed) return;
    renewing ??= renewOrTake()
      .catch((error: unknown) => {
        paused_until_ms = performance.now() + PAUSE_MS * (1 + Math.random() / 2);
        const what = lease === undefined ? NOT_LEASED : NOT_RENEWED;
        if (!closed) sayFailed({ what, error });
      })
      .finally(() => {
        renewing = undefined;
      });
  }

  function renewSoon(): void {
    if (performance.now() >= paused_until_ms) renew();
  }

  async function renewOrTake(): Promise<void> {
    if (lease !== undefined) {
      const due_ms = performance.now() + lease_ms * HELD_SHARE;
      const ids_until_ms = await renewLease(db, lease.worker, { holder, lease_ms, now_ms: now() });
      if (ids_until_ms !== undefined) {
        lease.due_ms = due_ms;
        lease.ids_until_ms = ids_until_ms;
        return;
      }
      log.error({ worker: lease.worker }, 'the lease of a worker ID is lost');
      lease = undefined;
    }
    lease = await take();
  }

  function held(): Lease | undefined {
    return !closed && lease !== undefined && performance.now() < lease.due_ms ? lease : undefined;
  }

  async function giveBack(): Promise<void> {
    await renewing;
    const given = lease;
    lease = undefined;
    if (given !== undefined) await endLease(db, given, holder);
  }

  return {
    next: () => {
      const current = held();
      const id = current?.next();
      const time_ms = id === undefined ? 0 : snowflakeTime(id);
      if (current === undefined || id === undefined || time_ms > current.ids_until_ms) {
        renewSoon();
        throw unavailable(new Error('no worker ID is leased'));
      }
      if (clock() > current.ids_until_ms) renewSoon();
      current.last_ms = time_ms;
      last_ms = time_ms;
      return id;
    },
    isHeld: () => held() !== undefined,
    close: async () => {
      closed = true;
      clearInterval(timer);
      await withTimeout(CLOSE_WITHIN_MS, giveBack()); // otherwise it ends by itself
    },
  };
}

/** An attempt that failed, for the log. */
interface Failed {
  readonly what: string;
  readonly error: unknown;
}

const NOT_RENEWED = 'the lease of a worker ID could not be renewed';
const NOT_LEASED = 'no worker ID could be leased';
