import type { Rate } from './rate.ts';

/**
 * The arithmetic of a leaky bucket, in integers only.
 *
 * A level is counted in token·ticks: one token is `token` units, the ticks of a window; the bucket holds `limit × token`
 * of them, and exactly `limit` units drain each tick. Levels are never divided, so a burst admits exactly `limit`, and a
 * wait is exact. (In floating tokens, 15 per 10 s admits 14, and 60 per 10 s admits 59.)
 *
 * A tick is a microsecond. Under a large limit and a long window, where units would leave the exact integers, it is a
 * millisecond or a second: then a time counts as the start of its tick.
 */

/**
 * The level at `now_us` of a bucket that had `level` at `last_us`. A clock that went back drains nothing, and the
 * bucket continues from the clock's new time: stores move its `last_us` back.
 */
export function drained(rate: Rate, level: number, last_us: number, now_us: number): number {
  const elapsed = ticksBetween(rate, last_us, now_us);
  if (elapsed <= 0) return level;
  if (elapsed >= rate.token) return 0; // and elapsed × limit below stays within the capacity
  return Math.max(0, level - elapsed * rate.limit);
}

/** A time that was taken under a finer tick counts as the end of its tick: it drains no earlier. */
function ticksBetween({ tick_us }: Rate, last_us: number, now_us: number): number {
  if (tick_us === 1) return now_us - last_us;
  return Math.floor(now_us / tick_us) - Math.ceil(last_us / tick_us);
}

/** The time that a charge at `now_us` leaves in its bucket. */
export function tickOf({ tick_us }: Rate, now_us: number): number {
  return tick_us === 1 ? now_us : Math.floor(now_us / tick_us) * tick_us;
}

/**
 * Converts a level that was counted at the rate `from` to the rate `to`: the same tokens, rounded up to a unit (of the
 * coarser tick), and no more than the bucket holds.
 *
 * level × window would exceed the exact range. So windows count in seconds, and the level is split into
 * a multiple of the old window and a rest below it: every product within the capacity is exact.
 */
export function rescaled(to: Rate, level: number, from: Rate): number {
  const coarse = to.tick_us > from.tick_us ? Math.ceil(level / (to.tick_us / from.tick_us)) : level;
  const fromSeconds = from.window_us / 1_000_000;
  const toSeconds = to.window_us / 1_000_000;
  const whole = Math.floor(coarse / fromSeconds);
  const rest = coarse - whole * fromSeconds;
  const scaled = whole * toSeconds + Math.ceil((rest * toSeconds) / fromSeconds);
  return Math.min(to.capacity, scaled * Math.max(1, from.tick_us / to.tick_us));
}

/** The level after `cost` more tokens; with a cost below 0 fewer, but never below 0. */
export function filled({ token }: Rate, level: number, cost: number): number {
  return Math.max(0, level + cost * token);
}

/**
 * The least number of ticks in which `units` drain.
 *
 * The quotient is never rounded to an integer that it does not equal: it differs from one by at least
 * 1/limit, and its rounding error is below units/limit × 2^-53, which is less, since units are below 2^53.
 */
export function drainTicks({ limit }: Pick<Rate, 'limit'>, units: number): number {
  return Math.ceil(units / limit);
}

/** The microseconds from `now_us` in which `units` drain. */
function drainTime(rate: Rate, units: number, now_us: number): number {
  const ticks = drainTicks(rate, units);
  return rate.tick_us === 1 ? ticks : tickOf(rate, now_us) + ticks * rate.tick_us - now_us;
}

/**
 * Microseconds until `cost` tokens are admitted by a bucket that has `level` now, if nobody else
 * charges it; 0: now. A cost of 0 counts as one token, and one below 0 is always admitted.
 */
export function retryAfter(rate: Rate, level: number, cost: number, now_us: number): number {
  if (cost < 0) return 0;
  const excess = level + Math.max(1, cost) * rate.token - rate.capacity;
  return excess <= 0 ? 0 : drainTime(rate, excess, now_us);
}

/** Microseconds until a bucket that has `level` now is completely empty. */
export function emptyAfter(rate: Rate, level: number, now_us: number): number {
  return level === 0 ? 0 : drainTime(rate, level, now_us);
}
