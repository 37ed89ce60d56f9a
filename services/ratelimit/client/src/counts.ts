/** What a client's questions have come to since it was made. */
export interface Counts {
  /** Checks, slowmode and changes of profiles among them. */
  checks: number;
  /** Of those, denied again without asking ratelimit. */
  remembered: number;
  /** Of those, decided here because ratelimit did not answer. */
  local: number;
  /** Of those, decided by ratelimit without its store. */
  degraded: number;
  /** Denials of checks and dry runs by the bucket's name. */
  readonly denied: Map<string, number>;
}

export function noCounts(): Counts {
  return { checks: 0, remembered: 0, local: 0, degraded: 0, denied: new Map() };
}
