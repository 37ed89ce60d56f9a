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
  /** The service's database, with a table worker_leases. */
  readonly db: Pool;
  /** Worker IDs of this service alone: services do not see each other's leases. */
  readonly workers: WorkerRange;
  readonly log: Logger;
  /** The clock of the times in the IDs. */
  readonly clock?: Clock;
  /** How long a lease lasts after a renewal. Default: a minute. */
  readonly lease_ms?: number;
}

const LEASE_MS = 60_000;
/** The share of a lease after which it is renewed. */
const RENEW_SHARE = 1 / 6;
/**
 * The share of a lease in which its holder makes IDs without a renewal. The rest is for clocks that differ in speed, and
 * for the last renewals, which a database that fails over may lose.
 */
const HELD_SHARE = 3 / 4;
/** Minimum pause between a failure and the next attempt by a call of `next`, which may come hundreds of times a second. */
const MIN_PAUSE_MS = 200;
/** A database that does not answer must not delay the exit of a process. */
const CLOSE_TIMEOUT_MS = 2_000;

interface Lease {
  readonly worker: number;
  /** IDs have times up to this. The next holder begins after it. */
  ids_until_ms: number;
  /** The time of the last ID with this worker ID, by any holder. */
  last_ms: number;
  /** Until then no other replica can have the worker ID, by performance.now(). */
  held_until_ms: number;
  readonly next: () => string;
}

/**
 * Leases a worker ID and makes IDs with it (docs/decisions/worker-ids.md).
 *
 * @throws if the database does not answer, or every worker ID of the range is leased
 */
export async function leasedIds(options: LeasedIdsOptions): Promise<LeasedIds> {
  const ids = new LeasedIds(options);
  await ids.open();
  return ids;
}

/**
 * Makes IDs with a leased worker ID, which no other replica has meanwhile. A replica that cannot renew its lease in time
 * stops making IDs, and leases another worker ID. However wrong clocks are, no ID is made twice: a lease limits the times
 * of its IDs, and the next holder begins after that limit.
 */
export class LeasedIds {
  readonly #db: Pool;
  readonly #workers: WorkerRange;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #lease_ms: number;
  readonly #holder = randomUUID();
  readonly #logFailure: (failure: LeaseFailure) => void;
  #lease: Lease | undefined;
  /** The time of the last ID made here. Later IDs have later times, with whatever worker ID. */
  #last_ms = 0;
  #renewing: Promise<void> | undefined;
  #renewTimer: NodeJS.Timeout | undefined;
  /** No attempts before this, by performance.now(). */
  #pausedUntil_ms = 0;
  #closed = false;

  constructor({ db, workers, log, clock = systemClock, lease_ms = LEASE_MS }: LeasedIdsOptions) {
    this.#db = db;
    this.#workers = workers;
    this.#log = log;
    this.#clock = clock;
    this.#lease_ms = lease_ms;
    this.#logFailure = throttledLog((times, { what, error }) => log.warn({ err: error, times }, what));
  }

  /** Takes the first lease. @throws if there is none */
  async open(): Promise<void> {
    this.#lease = await this.#take();
    this.#renewTimer = setInterval(() => this.#renew(), this.#lease_ms * RENEW_SHARE).unref();
  }

  /** Makes an ID. @throws UNAVAILABLE while no worker ID is leased */
  readonly next = (): string => {
    const lease = this.#heldLease();
    const id = lease?.next();
    const time_ms = id === undefined ? 0 : snowflakeTime(id);
    if (lease === undefined || id === undefined || time_ms > lease.ids_until_ms) {
      this.#renewUnlessPaused();
      throw unavailable(new Error('no worker ID is leased'));
    }
    if (this.#clock() > lease.ids_until_ms) this.#renewUnlessPaused();
    lease.last_ms = time_ms;
    this.#last_ms = time_ms;
    return id;
  };

  /** Whether IDs can be made. */
  readonly isHeld = (): boolean => this.#heldLease() !== undefined;

  /** Stops making IDs, and ends the lease. */
  readonly close = async (): Promise<void> => {
    this.#closed = true;
    clearInterval(this.#renewTimer);
    await withTimeout(CLOSE_TIMEOUT_MS, this.#endLease()); // else the lease expires
  };

  #heldLease(): Lease | undefined {
    const lease = this.#lease;
    return !this.#closed && lease !== undefined && performance.now() < lease.held_until_ms
      ? lease
      : undefined;
  }

  /** The earliest time of the next ID. */
  #now(): number {
    return Math.max(this.#clock(), this.#last_ms);
  }

  async #take(): Promise<Lease> {
    const held_until_ms = performance.now() + this.#lease_ms * HELD_SHARE; // measured before the server starts the lease
    const { worker, ids_after_ms, ids_until_ms } = await takeLease(this.#db, {
      workers: this.#workers,
      holder: this.#holder,
      lease_ms: this.#lease_ms,
      now_ms: this.#now(),
    });
    const taken: Lease = {
      worker,
      ids_until_ms,
      last_ms: ids_after_ms,
      held_until_ms,
      next: snowflakes({
        worker,
        clock: () => Math.min(this.#clock(), taken.ids_until_ms), // a leap of the clock takes effect with the next renewal
        after_ms: Math.max(ids_after_ms, this.#last_ms),
      }),
    };
    this.#log.info({ worker }, 'leased a worker ID');
    return taken;
  }

  #renewUnlessPaused(): void {
    if (performance.now() >= this.#pausedUntil_ms) this.#renew();
  }

  #renew(): void {
    if (this.#closed) return;
    this.#renewing ??= this.#renewOrTake()
      .catch((error: unknown) => {
        this.#pausedUntil_ms = performance.now() + MIN_PAUSE_MS * (1 + Math.random() / 2);
        const what = this.#lease === undefined ? NOT_LEASED : NOT_RENEWED;
        if (!this.#closed) this.#logFailure({ what, error });
      })
      .finally(() => {
        this.#renewing = undefined;
      });
  }

  async #renewOrTake(): Promise<void> {
    const lease = this.#lease;
    if (lease !== undefined) {
      const claim = { holder: this.#holder, lease_ms: this.#lease_ms, now_ms: this.#now() };
      const held_until_ms = performance.now() + this.#lease_ms * HELD_SHARE;
      const ids_until_ms = await renewLease(this.#db, lease.worker, claim);
      if (ids_until_ms !== undefined) {
        lease.held_until_ms = held_until_ms;
        lease.ids_until_ms = ids_until_ms;
        return;
      }
      this.#log.error({ worker: lease.worker }, 'the lease of a worker ID is lost');
      this.#lease = undefined;
    }
    this.#lease = await this.#take();
  }

  async #endLease(): Promise<void> {
    await this.#renewing;
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease !== undefined) await endLease(this.#db, lease, this.#holder);
  }
}

/** A failed attempt, for the log. */
interface LeaseFailure {
  readonly what: string;
  readonly error: unknown;
}

const NOT_RENEWED = 'the lease of a worker ID could not be renewed';
const NOT_LEASED = 'no worker ID could be leased';
