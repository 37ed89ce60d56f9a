import { unavailable } from '@gatehouse/kit/fault';
import { slowBody } from '../http/http-error.ts';
import type { RefusalReason, Refusals } from './refusals.ts';

/** A body that holds memory of a budget. */
export interface Holder {
  /** Its client's address, IPv6 by /64. */
  readonly address: string;
  /** The number of its bytes that have arrived. */
  arrivedBytes(): number;
  /** Whether all of them have arrived. */
  isComplete(): boolean;
  /** Called to take its memory back, before `release`. */
  evict(reason: Error): void;
}

export interface MemoryBudgetOptions {
  readonly max_bytes: number;
  readonly refusals: Refusals;
  /** The reason under which a refusal is counted. */
  readonly reason: RefusalReason;
}

interface Reservation {
  bytes: number;
  /** Checks until its pace is known; 0 if the next check begins to measure it. */
  checksLeft: number;
  /** Bytes that had arrived when the measurement began. */
  arrivedBytes: number;
}

interface Waiter {
  readonly holder: Holder;
  readonly bytes: number;
  readonly until_ms: number;
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

const SHARE_OF_ONE_ADDRESS = 1 / 2;
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
 * Memory for bodies. One client address may hold at most half of it. A long body waits for free memory. While one
 * waits, bodies that arrive slower than 512 KiB a second are evicted: any of them, or, if the waiting body's address holds
 * its half, only those of that address.
 */
export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  readonly #reservations = new Map<Holder, Reservation>();
  readonly #bytesByAddress = new Map<string, number>();
  #queue: Waiter[] = [];
  #reservedBytes = 0;
  #checking: NodeJS.Timeout | undefined;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  reservedBytes(): number {
    return this.#reservedBytes;
  }

  /** The number of bodies that wait for memory. */
  waiting(): number {
    return this.#queue.length;
  }

  /** Returns false, and counts a refusal, if there is not enough memory now. */
  reserve(holder: Holder, bytes: number): boolean {
    const isReserved = this.#tryReserve(holder, bytes);
    if (!isReserved) this.#options.refusals.count(this.#options.reason);
    return isReserved;
  }

  /** @throws SERVICE_UNAVAILABLE after ten seconds without enough memory, or if too many bodies wait already */
  reserveWhenFree(holder: Holder, bytes: number): Promise<void> {
    if (this.#tryReserve(holder, bytes)) return Promise.resolve();
    if (this.#queue.length >= MAX_WAITING) return Promise.reject(this.#countRefusal());
    return new Promise((admit, refuse) => {
      this.#queue.push({ holder, bytes, until_ms: performance.now() + WAIT_MS, admit, refuse });
      this.#startChecking();
    });
  }

  /** Frees all memory that a holder has, and ends its wait. */
  release(holder: Holder): void {
    this.#queue = this.#queue.filter((one) => one.holder !== holder);
    const reservation = this.#reservations.get(holder);
    if (reservation === undefined) return;
    this.#reservations.delete(holder);
    this.#reservedBytes -= reservation.bytes;
    const left = this.#heldBy(holder.address) - reservation.bytes;
    if (left > 0) this.#bytesByAddress.set(holder.address, left);
    else this.#bytesByAddress.delete(holder.address);
    this.#admitWaiting();
  }

  #tryReserve(holder: Holder, bytes: number): boolean {
    const hasRoom = this.#reservedBytes + bytes <= this.#options.max_bytes;
    if (!hasRoom || !this.#isWithinShare(holder.address, bytes)) return false;
    this.#reservedBytes += bytes;
    this.#bytesByAddress.set(holder.address, this.#heldBy(holder.address) + bytes);
    const reservation = this.#reservations.get(holder);
    if (reservation !== undefined) reservation.bytes += bytes;
    else this.#reservations.set(holder, { bytes, checksLeft: 0, arrivedBytes: 0 });
    return true;
  }

  #heldBy(address: string): number {
    return this.#bytesByAddress.get(address) ?? 0;
  }

  #isWithinShare(address: string, bytes: number): boolean {
    return this.#heldBy(address) + bytes <= this.#options.max_bytes * SHARE_OF_ONE_ADDRESS;
  }

  /** Admits waiting bodies in the order of arrival, and skips those that do not fit. */
  #admitWaiting(): void {
    const before = this.#queue;
    this.#queue = [];
    for (const one of before) {
      if (this.#tryReserve(one.holder, one.bytes)) one.admit();
      else this.#queue.push(one);
    }
    if (this.#queue.length > 0 || this.#checking === undefined) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  /** From the next check on, the pace of all bodies is measured. */
  #startChecking(): void {
    if (this.#checking !== undefined) return;
    for (const reservation of this.#reservations.values()) reservation.checksLeft = 0;
    this.#checking = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  #check(): void {
    const now_ms = performance.now();
    for (const one of this.#queue.filter(({ until_ms }) => until_ms <= now_ms)) {
      this.#queue = this.#queue.filter((other) => other !== one);
      one.refuse(this.#countRefusal());
    }
    this.#evictSlow();
    this.#admitWaiting();
  }

  #evictSlow(): void {
    for (const [holder, reservation] of this.#reservations) {
      if (reservation.checksLeft > 1) {
        reservation.checksLeft--;
        continue;
      }
      const arrivedBytes = holder.arrivedBytes();
      const isSlow = reservation.checksLeft === 1 && arrivedBytes - reservation.arrivedBytes < MIN_PACE_BYTES;
      Object.assign(reservation, { checksLeft: PACE_CHECKS, arrivedBytes });
      if (!isSlow || holder.isComplete() || !this.#wouldHelp(holder)) continue;
      this.#options.refusals.count('slow_bodies');
      holder.evict(slowBody());
    }
  }

  /** Whether a waiting body could use the memory of this holder. */
  #wouldHelp({ address }: Holder): boolean {
    return this.#queue.some(
      (one) => one.holder.address === address || this.#isWithinShare(one.holder.address, one.bytes),
    );
  }

  /** Counts a refusal, and returns its error. */
  #countRefusal(): Error {
    this.#options.refusals.count(this.#options.reason);
    return unavailable(new Error('the memory budget of long bodies is used up'));
  }
}
