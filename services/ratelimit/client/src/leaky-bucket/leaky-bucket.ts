/**
 * The arithmetic of a leaky bucket, in integers only.
 *
 * A level is counted in token·microseconds: one token is `window_us` units, the bucket holds
 * `limit × window_us` of them, and exactly `limit` units drain each microsecond. Levels are never
 * divided, so a burst admits exactly `limit`, and a wait is exact to the microsecond. (In floating
 * tokens, 15 per 10 s admits 14, and 60 per 10 s admits 59.)
 *
 * Every value stays below 2^53, up to which JavaScript numbers are exact integers: `rate` checks this.
 */
export interface Rate {
  /** Tokens admitted at once, and drained per window. */
  readonly limit: number;
  readonly window_us: number;
  /** limit × window_us. */
  readonly capacity: number;
}

/** Twice the capacity occurs: a full bucket plus the largest cost. The rest is a margin. */
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

/**
 * The level at `now_us` of a bucket that had `level` at `last_us`. A clock that went back drains nothing, and the
 * bucket continues from the clock's new time: stores move its `last_us` back.
 */
export function drained({ limit, window_us }: Rate, level: number, last_us: number, now_us: number): number {
  const elapsed_us = now_us - last_us;
  if (elapsed_us <= 0) return level;
  if (elapsed_us >= window_us) return 0; // and elapsed × limit below stays within the capacity
  return Math.max(0, level - elapsed_us * limit);
}

/**
 * Converts a level that was stored under a window of `window_us` to this rate: the same tokens, rounded
 * up to a unit, and no more than the bucket holds.
 *
 * level × window would exceed the exact range. So windows count in seconds, and the level is split into
 * a multiple of the old window and a rest below it: every product within the capacity is exact.
 */
export function rescaled(rate: Rate, level: number, window_us: number): number {
  const from = window_us / 1_000_000;
  const to = rate.window_us / 1_000_000;
  const whole = Math.floor(level / from);
  const rest = level - whole * from;
  return Math.min(rate.capacity, whole * to + Math.ceil((rest * to) / from));
}

/** The level after `cost` more tokens; with a cost below 0 fewer, but never below 0. */
export function filled({ window_us }: Rate, level: number, cost: number): number {
  return Math.max(0, level + cost * window_us);
}

/**
 * The least number of microseconds in which `units` drain.
 *
 * The quotient is never rounded to an integer that it does not equal: it differs from one by at least
 * 1/limit, and its rounding error is below units/limit × 2^-53, which is less, since units are below 2^53.
 */
export function drainTime({ limit }: Pick<Rate, 'limit'>, units: number): number {
  return Math.ceil(units / limit);
}

/**
 * Microseconds until `cost` tokens are admitted by a bucket that has `level` now, if nobody else
 * charges it; 0: now. A cost of 0 counts as one token, and one below 0 is always admitted.
 */
export function retryAfter(rate: Rate, level: number, cost: number): number {
  if (cost < 0) return 0;
  const excess = level + Math.max(1, cost) * rate.window_us - rate.capacity;
  return excess <= 0 ? 0 : drainTime(rate, excess);
}

/** Microseconds until a bucket that has `level` now is completely empty. */
export function emptyAfter(rate: Rate, level: number): number {
  return drainTime(rate, level);
}
