import { counted, restOfWindow, windowStart } from './fixed-window.ts';
import { drained, emptyAfter, rescaled, retryAfter, tickOf } from './leaky-bucket.ts';
import type { Rate } from './rate.ts';

/**
 * A leaky bucket or a fixed window is a level and a time: of a leaky bucket the time of its last charge, of a fixed window
 * its start. These functions count by the kind.
 */

/**
 * The level at `now_us`, at the rate `to`, of a bucket that was charged at the rate `from`. A bucket of another kind counts
 * as empty. So does one that is empty at its own rate: a store may have removed it.
 */
export function levelAt(to: Rate, level: number, from: Rate, last_us: number, now_us: number): number {
  if (level === 0 || from.kind !== to.kind) return 0;
  if (to.kind === 'fixed_window') return counted(to, level, from.window_us, last_us, now_us);
  if (from.window_us === to.window_us && from.limit === to.limit) return drained(to, level, last_us, now_us);
  if (drained(from, level, last_us, now_us) === 0) return 0;
  return drained(to, rescaled(to, level, from), last_us, now_us);
}

/** The time that a charge leaves in a bucket that had `last_us`; 0 for a new bucket. */
export function timeAt(rate: Rate, last_us: number, now_us: number): number {
  return rate.kind === 'fixed_window' ? windowStart(rate, last_us, now_us) : tickOf(rate, now_us);
}

/**
 * Microseconds until `cost` tokens are admitted by a bucket that has `level` now, if nobody else charges it; 0: now. A cost
 * of 0 counts as one token, and one below 0 is always admitted. A cost above the limit never fits.
 */
export function waitFor(rate: Rate, level: number, cost: number, last_us: number, now_us: number): number {
  if (rate.kind !== 'fixed_window') return retryAfter(rate, level, cost, now_us);
  return cost < 0 || level + Math.max(1, cost) <= rate.limit ? 0 : restOfWindow(rate, last_us, now_us);
}

/** Microseconds until a bucket that has `level` now is completely empty. */
export function timeToEmpty(rate: Rate, level: number, last_us: number, now_us: number): number {
  if (rate.kind !== 'fixed_window') return emptyAfter(rate, level, now_us);
  return level === 0 ? 0 : restOfWindow(rate, last_us, now_us);
}
