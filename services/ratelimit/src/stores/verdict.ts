import type { Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** A decision, and whether the store made it. */
export interface Verdict {
  readonly denial: Denial | undefined;
  /** The store did not answer in time; the buckets' failure policies decided. */
  readonly degraded: boolean;
}
