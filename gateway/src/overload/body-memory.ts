import type { Bounds } from './bounds.ts';
import { type Holder, type MemoryBudget, memoryBudget } from './memory-budget.ts';
import type { Refusals } from './refusals.ts';

/** What is read of any body without asking for room in the long ones' budget. */
export const SHORT_BODY_BYTES = 64 * 1024;

/** A body that is being read. */
export interface ArrivingBody extends Holder {
  /** When its last byte came, by performance.now(); undefined while its client is not waited for. */
  lastByteAt_ms(): number | undefined;
}

/** The memory that bodies take, and those that are being read. */
export interface BodyMemory {
  readonly short: MemoryBudget;
  readonly long: MemoryBudget;
  /** Bodies whose client sends nothing more are refused from here on, by `evict`. */
  watch(body: ArrivingBody): void;
  /** Gives back all that it has. To be called once its request is answered. */
  release(body: ArrivingBody): void;
  close(): void;
}

const LOOK_EVERY_MS = 1_000;

export function bodyMemory(bounds: Bounds, refusals: Refusals, stalled: () => Error): BodyMemory {
  const { max_short_body_bytes, max_long_body_bytes, body_stall_timeout_ms } = bounds;
  const short = memoryBudget({ max_bytes: max_short_body_bytes, refusals, reason: 'short_bodies' });
  const long = memoryBudget({ max_bytes: max_long_body_bytes, refusals, reason: 'long_bodies' });
  const watched = new Set<ArrivingBody>();

  const looking = setInterval(() => {
    const since_ms = performance.now() - body_stall_timeout_ms;
    for (const body of watched) {
      const lastByteAt_ms = body.lastByteAt_ms();
      if (body.isComplete()) watched.delete(body);
      else if (lastByteAt_ms !== undefined && lastByteAt_ms < since_ms) {
        refusals.count('slow_requests');
        body.evict(stalled());
      }
    }
  }, LOOK_EVERY_MS).unref();

  return {
    short,
    long,
    watch: (body) => watched.add(body),
    release: (body) => {
      watched.delete(body);
      short.release(body);
      long.release(body);
    },
    close: () => clearInterval(looking),
  };
}
