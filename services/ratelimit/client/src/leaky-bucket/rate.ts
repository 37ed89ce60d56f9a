/**
 * How a bucket counts (services/ratelimit/README.md, "The arithmetic"). A leaky bucket drains continuously. A fixed window
 * counts anew in each window. A concurrency limit counts the permits of leases that have not ended.
 */
export const LIMIT_KINDS = ['leaky_bucket', 'fixed_window', 'concurrency'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** A limit in the integers that buckets count in. Each is below 2^53, up to which JavaScript numbers are exact. */
export interface Rate {
  readonly kind: LimitKind;
  /** Tokens admitted at once and drained per window, or in each window; or permits held at a time. */
  readonly limit: number;
  /** Of a concurrency limit: the time after which a lease ends that is not renewed. */
  readonly window_us: number;
  /** The resolution of the bucket's clock, in microseconds: 1, unless a leaky bucket would leave the exact range. */
  readonly tick_us: number;
  /** The units that a bucket counts one token or permit as. */
  readonly token: number;
  /** limit × token. */
  readonly capacity: number;
}

/** Two windows of three years in seconds can be multiplied exactly. */
const MAX_WINDOW_SECONDS = 3 * 365 * 86_400;
/** A bucket of leases is read and written as a whole. */
export const MAX_PERMITS = 1000;
/** Twice the capacity occurs: a full bucket plus the largest cost. The rest is a margin. */
const HEADROOM = 32;

/**
 * The rate of `limit` tokens per window, or of `limit` permits.
 *
 * @throws RangeError when either is not a positive integer or too large for an exact bucket of this kind
 */
export function rate(limit: number, window_seconds: number, kind: LimitKind = 'leaky_bucket'): Rate {
  const positive =
    Number.isSafeInteger(limit) && Number.isInteger(window_seconds) && limit > 0 && window_seconds > 0;
  if (!positive)
    throw new RangeError(`no limit of ${limit} in ${window_seconds} s: both are positive integers`);
  if (window_seconds > MAX_WINDOW_SECONDS) throw new RangeError('a window is at most three years');
  if (kind === 'concurrency' && limit > MAX_PERMITS) {
    throw new RangeError(`a concurrency limit has at most ${MAX_PERMITS} permits`);
  }
  const made = rateOf(limit, window_seconds * 1_000_000, kind);
  if (!fits(made.capacity)) {
    throw new RangeError(`no exact leaky bucket of ${limit} tokens per ${window_seconds} s`);
  }
  return made;
}

/** The rate of a limit and window that `rate` has accepted. The tick follows from both, so that all stores have the same. */
export function rateOf(limit: number, window_us: number, kind: LimitKind): Rate {
  if (kind !== 'leaky_bucket') return { kind, limit, window_us, tick_us: 1, token: 1, capacity: limit };
  const tick_us = tickFor(limit, window_us);
  const token = window_us / tick_us;
  return { kind, limit, window_us, tick_us, token, capacity: limit * token };
}

/** The smallest tick, in microseconds, with which a leaky bucket is exact. */
export function tickFor(limit: number, window_us: number): number {
  if (fits(limit * window_us)) return 1;
  return fits(limit * (window_us / 1000)) ? 1000 : 1_000_000;
}

function fits(capacity: number): boolean {
  return HEADROOM * capacity <= Number.MAX_SAFE_INTEGER;
}
