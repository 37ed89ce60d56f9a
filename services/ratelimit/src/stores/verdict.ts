import type { Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** The decision of a check. */
export interface Verdict {
  readonly denial: Denial | undefined;
  /** Whether the buckets' failure policies decided, because the store did not answer in time. */
  readonly degraded: boolean;
}

/** The store's verdict for an admitted check. */
export const ADMITTED: Verdict = { denial: undefined, degraded: false };
