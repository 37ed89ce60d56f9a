import { retryAfterOf } from '../rate-limits/denial.ts';

const FIRST_MS = 250;
const LONGEST_MS = 8_000;

/** Milliseconds until the next try, at least what Retry-After says. Random, so that callers do not come back together. */
export function backOff(tries: number, headers?: Headers): number {
  const longest = Math.min(FIRST_MS * 2 ** (tries - 1), LONGEST_MS);
  const asked = headers === undefined ? 0 : (retryAfterOf(headers) ?? 0) * 1000;
  return asked + (longest / 2) * (1 + Math.random());
}
