import { unavailable } from '@gatehouse/kit/fault';
import { slowBody } from '../http-error.ts';
import type { RefusalReason, Refusals } from './refusals.ts';

/** Who holds bytes of a budget. */
export interface Holder {
  /** The client's, IPv6 by /64. */
  readonly address: string;
  /** Bytes that have come of what the room is for. */
  arrivedBytes(): number;
  /** Whether all of them have. */
  isComplete(): boolean;
  /** Called when the room is taken back, before `release`. */
  evict(reason: Error): void;
}

/**
 * Room for the bytes of bodies, of which those of one address take at most half. Who finds no room may wait
 * for it. Bodies that come slower than `MIN_BYTES_PER_SECOND` have to make room for those who wait: for anybody
 * whose address has a part left, and else for others of their own address.
 */
export interface MemoryBudget {
  /** False when there is no room now. */
  take(holder: Holder, bytes: number): boolean;
  /** @throws SERVICE_UNAVAILABLE when there was none for ten seconds, or too many wait already */
  takeInTurn(holder: Holder, bytes: number): Promise<void>;
  /** Gives back all that a holder has, or waits for. */
  release(holder: Holder): void;
  takenBytes(): number;
  waiting(): number;
}

export interface MemoryBudgetOptions {
  readonly max_bytes: number;
  readonly refusals: Refusals;
  /** What a refusal is counted as. */
  readonly reason: RefusalReason;
}

interface Held {
  bytes: number;
  /** When its arrived bytes were looked at last, and how many they were. */
  lookedAt_ms: number;
  arrivedBytes: number;
}

interface Waiting {
  readonly holder: Holder;
  readonly bytes: number;
  readonly until_ms: number;
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

const PART_OF_ONE_ADDRESS = 1 / 2;
const WAIT_MS = 10_000;
const MAX_WAITING = 256;
const LOOK_EVERY_MS = 250;
/** Over how long the pace of a body is looked at. */
const PACE_MS = 1_000;
/** The longest body of any route takes 50 s so, of the minute that a request has. */
const MIN_BYTES_PER_SECOND = 512 * 1024;

export function memoryBudget({ max_bytes, refusals, reason }: MemoryBudgetOptions): MemoryBudget {
  const held = new Map<Holder, Held>();
  const ofAddress = new Map<string, number>();
  let queue: Waiting[] = [];
  let total = 0;
  let looking: NodeJS.Timeout | undefined;

  function take(holder: Holder, bytes: number): boolean {
    if (total + bytes > max_bytes || !hasPartLeft(holder, bytes)) return false;
    total += bytes;
    ofAddress.set(holder.address, (ofAddress.get(holder.address) ?? 0) + bytes);
    const one = held.get(holder);
    if (one !== undefined) one.bytes += bytes;
    else held.set(holder, { bytes, lookedAt_ms: performance.now(), arrivedBytes: holder.arrivedBytes() });
    return true;
  }

  function hasPartLeft({ address }: Holder, bytes: number): boolean {
    return (ofAddress.get(address) ?? 0) + bytes <= max_bytes * PART_OF_ONE_ADDRESS;
  }

  function takeInTurn(holder: Holder, bytes: number): Promise<void> {
    if (take(holder, bytes)) return Promise.resolve();
    if (queue.length >= MAX_WAITING) return Promise.reject(noRoom());
    return new Promise((admit, refuse) => {
      queue.push({ holder, bytes, until_ms: performance.now() + WAIT_MS, admit, refuse });
      looking ??= setInterval(look, LOOK_EVERY_MS).unref();
    });
  }

  function release(holder: Holder): void {
    queue = queue.filter((one) => one.holder !== holder);
    const one = held.get(holder);
    if (one === undefined) return;
    held.delete(holder);
    total -= one.bytes;
    const left = (ofAddress.get(holder.address) ?? 0) - one.bytes;
    if (left > 0) ofAddress.set(holder.address, left);
    else ofAddress.delete(holder.address);
    admitWaiting();
  }

  /** In the order in which they came, but nobody waits for room that only somebody else lacks. */
  function admitWaiting(): void {
    const before = queue;
    queue = [];
    for (const one of before) {
      if (take(one.holder, one.bytes)) one.admit();
      else queue.push(one);
    }
    if (queue.length > 0 || looking === undefined) return;
    clearInterval(looking);
    looking = undefined;
  }

  function look(): void {
    const now_ms = performance.now();
    for (const one of queue.filter(({ until_ms }) => until_ms <= now_ms)) {
      queue = queue.filter((other) => other !== one);
      one.refuse(noRoom());
    }
    evictSlow(now_ms);
    admitWaiting();
  }

  function evictSlow(now_ms: number): void {
    for (const [holder, one] of held) {
      const elapsed_ms = now_ms - one.lookedAt_ms;
      if (elapsed_ms < PACE_MS || holder.isComplete()) continue;
      const arrivedBytes = holder.arrivedBytes();
      const isSlow = (arrivedBytes - one.arrivedBytes) * 1_000 < MIN_BYTES_PER_SECOND * elapsed_ms;
      Object.assign(one, { lookedAt_ms: now_ms, arrivedBytes });
      if (!isSlow || !isWaitedFor(holder)) continue;
      refusals.count('slow_bodies');
      holder.evict(slowBody());
    }
  }

  function isWaitedFor({ address }: Holder): boolean {
    return queue.some((one) => one.holder.address === address || hasPartLeft(one.holder, one.bytes));
  }

  function noRoom(): Error {
    refusals.count(reason);
    return unavailable(new Error('too many long bodies are in memory'));
  }

  return {
    take: (holder, bytes) => {
      const taken = take(holder, bytes);
      if (!taken) refusals.count(reason);
      return taken;
    },
    takeInTurn,
    release,
    takenBytes: () => total,
    waiting: () => queue.length,
  };
}
