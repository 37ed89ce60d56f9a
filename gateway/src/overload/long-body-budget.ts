import { unavailable } from '@gatehouse/kit/fault';
import { slowBody } from '../http/http-error.ts';
import { type Holder, MemoryBudget } from './memory-budget.ts';
import type { Refusals } from './refusals.ts';

/** A body whose pace is being measured. */
interface Measurement {
  /** Checks until its pace is known. */
  checksLeft: number;
  /** Bytes that had arrived when the measurement began. */
  readonly arrivedBytes: number;
}

interface Waiter {
  readonly holder: Holder;
  readonly bytes: number;
  readonly until_ms: number;
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

const WAIT_MS = 10_000;
const MAX_WAITING = 256;
const CHECK_EVERY_MS = 250;
/**
 * Checks over which the pace of a body is measured: one second. Checks are counted, not time: while the event loop is
 * blocked, the edge reads nothing, and the client is not slow.
 */
const PACE_CHECKS = 4;
/** At 512 KiB a second the longest body of any route takes 50 s; a request may take 60. */
const MIN_PACE_BYTES = 512 * 1024;

/**
 * The memory budget of long bodies, which wait for free memory. While one waits, bodies that arrive slower than 512 KiB a
 * second are evicted: any of them, or, if the waiting body's IP group holds its half, only those of that group.
 */
export class LongBodyBudget {
  readonly #budget: MemoryBudget;
  readonly #refusals: Refusals;
  readonly #measurements = new Map<Holder, Measurement>();
  #queue: Waiter[] = [];
  #checking: NodeJS.Timeout | undefined;

  constructor(maxBytes: number, refusals: Refusals) {
    this.#budget = new MemoryBudget(maxBytes);
    this.#refusals = refusals;
  }

  reservedBytes(): number {
    return this.#budget.reservedBytes();
  }

  /** The number of bodies that wait for memory. */
  waiting(): number {
    return this.#queue.length;
  }

  /** @throws SERVICE_UNAVAILABLE after ten seconds without enough memory, or if too many bodies wait already */
  reserve(holder: Holder, bytes: number): Promise<void> {
    if (this.#budget.reserve(holder, bytes)) return Promise.resolve();
    if (this.#queue.length >= MAX_WAITING) return Promise.reject(this.#countRefusal());
    return new Promise((admit, refuse) => {
      this.#queue.push({ holder, bytes, until_ms: performance.now() + WAIT_MS, admit, refuse });
      this.#startChecking();
    });
  }

  /** Frees all memory that a holder has, and ends its wait. */
  release(holder: Holder): void {
    this.#queue = this.#queue.filter((waiter) => waiter.holder !== holder);
    if (!this.#budget.release(holder)) return;
    this.#measurements.delete(holder);
    this.#admitWaiting();
  }

  /** Admits waiting bodies in the order of arrival, and skips those that do not fit. */
  #admitWaiting(): void {
    const before = this.#queue;
    this.#queue = [];
    for (const waiter of before) {
      if (this.#budget.reserve(waiter.holder, waiter.bytes)) waiter.admit();
      else this.#queue.push(waiter);
    }
    if (this.#queue.length > 0 || this.#checking === undefined) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  /** From the next check on, the pace of all bodies is measured. */
  #startChecking(): void {
    if (this.#checking !== undefined) return;
    this.#measurements.clear();
    this.#checking = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  #check(): void {
    const now_ms = performance.now();
    const late = this.#queue.filter(({ until_ms }) => until_ms <= now_ms);
    this.#queue = this.#queue.filter(({ until_ms }) => until_ms > now_ms);
    for (const waiter of late) waiter.refuse(this.#countRefusal());
    this.#evictSlow();
    this.#admitWaiting();
  }

  #evictSlow(): void {
    for (const holder of this.#budget.holders()) {
      const measurement = this.#measurements.get(holder);
      if (measurement !== undefined && measurement.checksLeft > 1) {
        measurement.checksLeft--;
        continue;
      }
      const arrivedBytes = holder.arrivedBytes();
      this.#measurements.set(holder, { checksLeft: PACE_CHECKS, arrivedBytes });
      const isSlow = measurement !== undefined && arrivedBytes - measurement.arrivedBytes < MIN_PACE_BYTES;
      if (!isSlow || holder.isComplete() || !this.#wouldHelp(holder)) continue;
      this.#refusals.count('slow_bodies');
      holder.evict(slowBody());
    }
  }

  /** Whether a waiting body could use the memory of this holder. */
  #wouldHelp({ ipGroup }: Holder): boolean {
    return this.#queue.some(
      ({ holder, bytes }) => holder.ipGroup === ipGroup || this.#budget.isWithinShare(holder.ipGroup, bytes),
    );
  }

  /** Counts a refusal, and returns its error. */
  #countRefusal(): Error {
    this.#refusals.count('long_bodies');
    return unavailable(new Error('the memory budget of long bodies is used up'));
  }
}
