import type { Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** What a check comes to, and who said so. */
export interface Verdict {
  readonly denial: Denial | undefined;
  /** The store could not be asked in time; the buckets' failure policies decided. */
  readonly degraded: boolean;
}
