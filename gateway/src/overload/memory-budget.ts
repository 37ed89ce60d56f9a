import { unavailable } from '@gatehouse/kit/fault';
import { slowBody } from '../http-error.ts';
import type { RefusalReason, Refusals } from './refusals.ts';

/** A body that holds memory of a budget. */
export interface Holder {
  /** Its client's address, IPv6 by /64. */
  readonly address: string;
  /** How many of its bytes have arrived. */
  arrivedBytes(): number;
  /** Whether all of them have. */
  isComplete(): boolean;
  /** Called when its memory is taken back, before `release`. */
  evict(reason: Error): void;
}

/**
 * Memory for bodies, of which one client address may hold at most half. A body that finds none may wait.
 * While one waits, bodies that arrive slower than `MIN_BYTES_PER_SECOND` are evicted: any of them, or only those
 * of the same address where that address holds its half.
 */
export interface MemoryBudget {
  /** False when there is not enough memory now. */
  reserve(holder: Holder, bytes: number): boolean;
  /** @throws SERVICE_UNAVAILABLE when there was not enough for ten seconds, or too many wait already */
  reserveWhenFree(holder: Holder, bytes: number): Promise<void>;
  /** Gives back all that a holder has, or waits for. */
  release(holder: Holder): void;
  reservedBytes(): number;
  /** How many wait. */
  waiting(): number;
}

export interface MemoryBudgetOptions {
  readonly max_bytes: number;
  readonly refusals: Refusals;
  /** What a refusal is counted as. */
  readonly reason: RefusalReason;
}

interface Reservation {
  bytes: number;
  /** When its pace was measured last, and how many bytes had arrived by then. */
  measuredAt_ms: number;
  arrivedBytes: number;
}

interface Waiting {
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
/** Over at least how long the pace of a body is measured. */
const PACE_MS = 1_000;
/** At this pace the longest body of any route takes 50 s; a request may take 60. */
const MIN_BYTES_PER_SECOND = 512 * 1024;

export function memoryBudget({ max_bytes, refusals, reason }: MemoryBudgetOptions): MemoryBudget {
  const reservations = new Map<Holder, Reservation>();
  const ofAddress = new Map<string, number>();
  let queue: Waiting[] = [];
  let total = 0;
  let checking: NodeJS.Timeout | undefined;

  function reserve(holder: Holder, bytes: number): boolean {
    if (total + bytes > max_bytes || !isWithinShare(holder, bytes)) return false;
    total += bytes;
    ofAddress.set(holder.address, (ofAddress.get(holder.address) ?? 0) + bytes);
    const one = reservations.get(holder);
    if (one !== undefined) one.bytes += bytes;
    else {
      const measured = { measuredAt_ms: performance.now(), arrivedBytes: holder.arrivedBytes() };
      reservations.set(holder, { bytes, ...measured });
    }
    return true;
  }

  function isWithinShare({ address }: Holder, bytes: number): boolean {
    return (ofAddress.get(address) ?? 0) + bytes <= max_bytes * SHARE_OF_ONE_ADDRESS;
  }

  function reserveWhenFree(holder: Holder, bytes: number): Promise<void> {
    if (reserve(holder, bytes)) return Promise.resolve();
    if (queue.length >= MAX_WAITING) return Promise.reject(budgetExhausted());
    return new Promise((admit, refuse) => {
      queue.push({ holder, bytes, until_ms: performance.now() + WAIT_MS, admit, refuse });
      checking ??= setInterval(check, CHECK_EVERY_MS).unref();
    });
  }

  function release(holder: Holder): void {
    queue = queue.filter((one) => one.holder !== holder);
    const one = reservations.get(holder);
    if (one === undefined) return;
    reservations.delete(holder);
    total -= one.bytes;
    const left = (ofAddress.get(holder.address) ?? 0) - one.bytes;
    if (left > 0) ofAddress.set(holder.address, left);
    else ofAddress.delete(holder.address);
    admitWaiting();
  }

  /** In the order of arrival. One that does not fit does not hold up those behind it that do. */
  function admitWaiting(): void {
    const before = queue;
    queue = [];
    for (const one of before) {
      if (reserve(one.holder, one.bytes)) one.admit();
      else queue.push(one);
    }
    if (queue.length > 0 || checking === undefined) return;
    clearInterval(checking);
    checking = undefined;
  }

  function check(): void {
    const now_ms = performance.now();
    for (const one of queue.filter(({ until_ms }) => until_ms <= now_ms)) {
      queue = queue.filter((other) => other !== one);
      one.refuse(budgetExhausted());
    }
    evictSlow(now_ms);
    admitWaiting();
  }

  function evictSlow(now_ms: number): void {
    for (const [holder, one] of reservations) {
      const elapsed_ms = now_ms - one.measuredAt_ms;
      if (elapsed_ms < PACE_MS || holder.isComplete()) continue;
      const arrivedBytes = holder.arrivedBytes();
      const isSlow = (arrivedBytes - one.arrivedBytes) * 1_000 < MIN_BYTES_PER_SECOND * elapsed_ms;
      Object.assign(one, { measuredAt_ms: now_ms, arrivedBytes });
      if (!isSlow || !isWaitedFor(holder)) continue;
      refusals.count('slow_bodies');
      holder.evict(slowBody());
    }
  }

  /** Whether the memory of this holder would help one that waits. */
  function isWaitedFor({ address }: Holder): boolean {
    return queue.some((one) => one.holder.address === address || isWithinShare(one.holder, one.bytes));
  }

  function budgetExhausted(): Error {
    refusals.count(reason);
    return unavailable(new Error('the memory budget of long bodies is used up'));
  }

  return {
    reserve: (holder, bytes) => {
      const reserved = reserve(holder, bytes);
      if (!reserved) refusals.count(reason);
      return reserved;
    },
    reserveWhenFree,
    release,
    reservedBytes: () => total,
    waiting: () => queue.length,
  };
}
