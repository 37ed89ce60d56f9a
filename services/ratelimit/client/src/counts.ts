/** A client's counts since its creation. */
export interface Counts {
  /** Checks, including those of slowmode and profile changes. */
  checks: number;
  /** Checks denied by a remembered denial, without a call to ratelimit. */
  remembered: number;
  /** Checks that this process decided, because ratelimit did not answer. */
  local: number;
  /** Checks that ratelimit decided without its store. */
  degraded: number;
  /** Denials of checks and dry runs, by the bucket's name. */
  readonly denied: Map<string, number>;
}

export function newCounts(): Counts {
  return { checks: 0, remembered: 0, local: 0, degraded: 0, denied: new Map() };
}
