import type { Rule } from './reference.ts';

/** One bucket and what it is to be charged. */
export interface Charge {
  readonly rule: Rule;
  /** The bucket's identities as one text. */
  readonly key: string;
  /** Tokens, from 1 to the rule's limit. */
  readonly cost: number;
}

export interface Denial {
  readonly rule: Rule;
  readonly retry_after_us: number;
  readonly empty_after_us: number;
}

export interface Store {
  /**
   * Charges every bucket of the set, or none of them and says which one denies with the longest
   * wait. A set names no bucket twice.
   */
  charge(set: readonly Charge[], now_us: number): Denial | undefined;
}

/**
 * Charges sets in order until one denies; what earlier sets charged stays charged (contract 4, "Rate
 * limits, settled": the global bucket is the first set, the route's buckets are the second).
 */
export function check(
  store: Store,
  sets: readonly (readonly Charge[])[],
  now_us: number,
): Denial | undefined {
  for (const set of sets) {
    const denial = store.charge(set, now_us);
    if (denial !== undefined) return denial;
  }
  return undefined;
}
