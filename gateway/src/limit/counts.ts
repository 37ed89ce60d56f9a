/** What the edge's limits have come to since it started. */
export interface Counts {
  /** Requests that count against a bucket. */
  checks: number;
  /** Of those, denied again without asking ratelimit. */
  remembered: number;
  /** Of those, decided here because ratelimit did not answer. */
  local: number;
  /** Of those, decided by ratelimit without its store. */
  degraded: number;
  /** Denials by the bucket's name. */
  readonly denied: Map<string, number>;
}

export function noCounts(): Counts {
  return { checks: 0, remembered: 0, local: 0, degraded: 0, denied: new Map() };
}
