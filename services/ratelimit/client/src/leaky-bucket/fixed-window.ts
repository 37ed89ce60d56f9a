import type { Rate } from './rate.ts';

/**
 * The arithmetic of a fixed window. Windows begin at multiples of their length since the Unix epoch. A bucket counts tokens
 * of one window, by its start. A clock that goes back into an earlier window counts on in the bucket's, so that no window
 * ever admits its limit twice.
 */

/**
 * The tokens that count at `now_us`, of `count` tokens in a window of `window_us` that began at `start_us`. Under another
 * length or limit they count until their own window ends, and at most the new limit.
 */
export function counted(
  { limit }: Rate,
  count: number,
  window_us: number,
  start_us: number,
  now_us: number,
): number {
  return now_us < start_us + window_us ? Math.min(count, limit) : 0;
}

/** The start of the window that counts at `now_us`, for a bucket whose window began at `start_us`; 0 for a new bucket. */
export function windowStart({ window_us }: Rate, start_us: number, now_us: number): number {
  const time_us = Math.max(start_us, now_us);
  return time_us - (time_us % window_us);
}

/** Microseconds until the window ends that counts at `now_us`. */
export function restOfWindow(rate: Rate, start_us: number, now_us: number): number {
  return windowStart(rate, start_us, now_us) + rate.window_us - now_us;
}
