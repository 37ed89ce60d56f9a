/** Counts of a client's checks since it was made. */
export interface Counts {
  /** Checks, with those of slowmode and profile changes. */
  checks: number;
  /** Checks denied by a remembered denial, without a call to ratelimit. */
  remembered: number;
  /** Checks decided here because ratelimit did not answer. */
  local: number;
  /** Checks decided by ratelimit without its store. */
  degraded: number;
  /** Denials of checks and dry runs by the bucket's name. */
  readonly denied: Map<string, number>;
}

export function noCounts(): Counts {
  return { checks: 0, remembered: 0, local: 0, degraded: 0, denied: new Map() };
}
