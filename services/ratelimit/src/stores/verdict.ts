import type { Outcome } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** The outcome of a check. It has no states if failure policies or a remembered denial decided. */
export interface Verdict extends Outcome {
  /** Whether the buckets' failure policies decided, because the store did not answer in time. */
  readonly degraded: boolean;
}

/** The store's verdict for an admitted check. */
export const ADMITTED: Verdict = { denial: undefined, states: [], degraded: false };

/** In place of the verdict of a withdrawn check, which was not made. */
export const NOT_MADE: Verdict = { ...ADMITTED };
