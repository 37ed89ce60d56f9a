/**
 * The arithmetic of a leaky bucket, in integers only.
 *
 * A level is counted in token·microseconds: one token is `window_us` units, the bucket holds
 * `limit × window_us` of them, and exactly `limit` units drain each microsecond. No division is left
 * to round, so a burst admits exactly `limit` and a wait is exact to the microsecond. (In floating
 * tokens, 15 per 10 s admits 14, and 60 per 10 s admits 59.)
 *
 * Every value stays below 2^53, where JavaScript numbers are exact integers; `rate` sees to it.
 */
export interface Rate {
  /** Tokens admitted at once, and drained per window. */
  readonly limit: number;
  readonly window_us: number;
  /** limit × window_us. */
  readonly capacity: number;
}

/** A full bucket and the largest cost are added before they are compared; in a full store, 16 of them. */
const HEADROOM = 32;

/**
 * The rate of `limit` tokens per window.
 *
 * @throws RangeError when either is not a positive integer, or the product leaves the exact range
 */
export function rate(limit: number, window_seconds: number): Rate {
  const window_us = window_seconds * 1_000_000;
  const capacity = limit * window_us;
  const positive =
    Number.isInteger(limit) && Number.isInteger(window_seconds) && limit > 0 && window_seconds > 0;
  if (!positive || !Number.isSafeInteger(HEADROOM * capacity)) {
    throw new RangeError(`no exact leaky bucket of ${limit} tokens per ${window_seconds} s`);
  }
  return { limit, window_us, capacity };
}

/** The level at `now_us` of a bucket that had `level` at `last_us`. A clock that went back drains nothing. */
export function drained({ limit, window_us }: Rate, level: number, last_us: number, now_us: number): number {
  const elapsed_us = now_us - last_us;
  if (elapsed_us <= 0) return level;
  if (elapsed_us >= window_us) return 0; // and elapsed × limit below stays within the capacity
  return Math.max(0, level - elapsed_us * limit);
}

/** The level after `cost` tokens more. */
export function filled({ window_us }: Rate, level: number, cost: number): number {
  return level + cost * window_us;
}

/**
 * Microseconds until `units` have drained: waiting so long is enough, one less is not.
 *
 * The quotient is never rounded onto an integer it does not equal: it is at least 1/limit away from
 * one, and its rounding error, below units/limit × 2^-53, is less, since units are below 2^53.
 */
export function drainTime({ limit }: Rate, units: number): number {
  return Math.ceil(units / limit);
}

/**
 * Microseconds from `now_us` until `cost` tokens are admitted, if nobody else charges the bucket: 0
 * when they are admitted now. Where the clock went back, this includes the time it has to make up.
 */
export function retryAfter(rate: Rate, level: number, last_us: number, now_us: number, cost: number): number {
  const excess = filled(rate, drained(rate, level, last_us, now_us), cost) - rate.capacity;
  return excess <= 0 ? 0 : behind(last_us, now_us) + drainTime(rate, excess);
}

/** Microseconds from `now_us` until the bucket is completely empty. */
export function emptyAfter(rate: Rate, level: number, last_us: number, now_us: number): number {
  const left = drained(rate, level, last_us, now_us);
  return left === 0 ? 0 : behind(last_us, now_us) + drainTime(rate, left);
}

function behind(last_us: number, now_us: number): number {
  return Math.max(0, last_us - now_us);
}
