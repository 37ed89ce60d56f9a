import type { Bounds } from './bounds.ts';
import { type Holder, MemoryBudget } from './memory-budget.ts';
import type { Refusals } from './refusals.ts';

/** A body of up to this length counts against the budget of short bodies, a longer one against that of long bodies. */
export const SHORT_BODY_BYTES = 64 * 1024;

/** A body that is being read. */
export interface WatchedBody extends Holder {
  /** The time of its last byte, by performance.now(); undefined while the edge does not read it. */
  lastByteAt_ms(): number | undefined;
}

/** The memory budgets of request bodies. */
export interface BodyBudgets {
  readonly short: MemoryBudget;
  readonly long: MemoryBudget;
  /** Evicts the body if its client stops sending. */
  watch(body: WatchedBody): void;
  /** Frees all memory of a body. To be called once its request is answered. */
  release(body: WatchedBody): void;
  close(): void;
}

const CHECK_EVERY_MS = 1_000;

export function bodyBudgets(bounds: Bounds, refusals: Refusals, stalled: () => Error): BodyBudgets {
  const { max_short_body_bytes, max_long_body_bytes, body_stall_timeout_ms } = bounds;
  const short = new MemoryBudget({ max_bytes: max_short_body_bytes, refusals, reason: 'short_bodies' });
  const long = new MemoryBudget({ max_bytes: max_long_body_bytes, refusals, reason: 'long_bodies' });
  const watched = new Set<WatchedBody>();

  let checkedAt_ms = performance.now();

  const checking = setInterval(() => {
    const now_ms = performance.now();
    // While the event loop was blocked, the edge read nothing: that time is not the clients'.
    const blocked_ms = Math.max(now_ms - checkedAt_ms - CHECK_EVERY_MS, 0);
    checkedAt_ms = now_ms;
    const since_ms = now_ms - body_stall_timeout_ms - blocked_ms;
    for (const body of watched) {
      const lastByteAt_ms = body.lastByteAt_ms();
      if (body.isComplete()) watched.delete(body);
      else if (lastByteAt_ms !== undefined && lastByteAt_ms < since_ms) {
        refusals.count('slow_requests');
        body.evict(stalled());
      }
    }
  }, CHECK_EVERY_MS).unref();

  return {
    short,
    long,
    watch: (body) => watched.add(body),
    release: (body) => {
      watched.delete(body);
      short.release(body);
      long.release(body);
    },
    close: () => clearInterval(checking),
  };
}
