import { slowBody } from '../http/http-error.ts';
import type { Bounds } from './bounds.ts';
import { LongBodyBudget } from './long-body-budget.ts';
import { type Holder, MemoryBudget } from './memory-budget.ts';
import type { Refusals } from './refusals.ts';

/** A body of up to this length counts against the budget of short bodies, a longer one against that of long bodies. */
export const SHORT_BODY_BYTES = 64 * 1024;

/** A body that is being read. */
export interface WatchedBody extends Holder {
  /** The time of its last byte, by performance.now(); undefined while the edge does not read it. */
  lastByteAt_ms(): number | undefined;
}

const CHECK_EVERY_MS = 1_000;

/** The memory budgets of request bodies. Bodies whose client stops sending are evicted. */
export class BodyBudgets {
  readonly short: MemoryBudget;
  readonly long: LongBodyBudget;
  readonly #stallTimeout_ms: number;
  readonly #refusals: Refusals;
  readonly #watched = new Set<WatchedBody>();
  /** Undefined while no body is watched. */
  #checking: NodeJS.Timeout | undefined;
  #checkedAt_ms = performance.now();

  constructor(bounds: Bounds, refusals: Refusals) {
    const { max_short_body_bytes, max_long_body_bytes, body_stall_timeout_ms } = bounds;
    this.short = new MemoryBudget(max_short_body_bytes);
    this.long = new LongBodyBudget(max_long_body_bytes, refusals);
    this.#stallTimeout_ms = body_stall_timeout_ms;
    this.#refusals = refusals;
  }

  /** Evicts the body if its client stops sending. */
  watch(body: WatchedBody): void {
    this.#watched.add(body);
    if (this.#checking !== undefined) return;
    this.#checkedAt_ms = performance.now();
    this.#checking = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  /** Frees all memory of a body. To be called once its request is answered. */
  release(body: WatchedBody): void {
    this.#watched.delete(body);
    this.short.release(body);
    this.long.release(body);
  }

  close(): void {
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  #check(): void {
    this.#evictStalled();
    if (this.#watched.size > 0) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  #evictStalled(): void {
    const now_ms = performance.now();
    // While the event loop was blocked, the edge read nothing. That time does not count against clients.
    const blocked_ms = Math.max(now_ms - this.#checkedAt_ms - CHECK_EVERY_MS, 0);
    this.#checkedAt_ms = now_ms;
    const since_ms = now_ms - this.#stallTimeout_ms - blocked_ms;
    for (const body of this.#watched) {
      const lastByteAt_ms = body.lastByteAt_ms();
      if (body.isComplete()) this.#watched.delete(body);
      else if (lastByteAt_ms !== undefined && lastByteAt_ms < since_ms) {
        this.#refusals.count('slow_requests');
        body.evict(slowBody());
      }
    }
  }
}
