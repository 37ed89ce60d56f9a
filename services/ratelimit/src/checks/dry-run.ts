import { retryAfter } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import type { BucketState, Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** The outcome that a charge would have. */
export interface Forecast<C extends Charge> {
  /** The index of its set in the check. */
  readonly set: number;
  readonly charge: C;
  readonly state: BucketState;
  /** Microseconds until its cost is admitted; 0: now. */
  readonly retry_after_us: number;
}

/**
 * Decides a check from the states of its buckets, one for each charge in order. Later sets see the charges of admitted
 * ones.
 */
export function dryRun<C extends Charge>(
  check: readonly (readonly C[])[],
  states: readonly BucketState[],
): { readonly forecasts: readonly Forecast<C>[]; readonly admitted: boolean } {
  const forecasts: Forecast<C>[] = [];
  const charged: Charge[] = [];
  let admitted = true;
  for (const [set, charges] of check.entries()) {
    const ofSet = charges.map((charge, i): Forecast<C> => {
      const state = states[forecasts.length + i];
      if (state === undefined) throw new Error('the store did not read every bucket');
      return {
        set,
        charge,
        state,
        retry_after_us: retryAfter(charge.rule, state.level + chargedBefore(charge), charge.cost),
      };
    });
    forecasts.push(...ofSet);
    admitted &&= ofSet.every(({ retry_after_us }) => retry_after_us === 0);
    if (admitted) charged.push(...charges);
  }
  return { forecasts, admitted };

  /** What earlier sets charge to the charge's bucket, in token·microseconds. */
  function chargedBefore({ rule, key }: Charge): number {
    return charged
      .filter((earlier) => earlier.rule.index === rule.index && earlier.key === key)
      .reduce((units, { cost }) => units + cost * rule.window_us, 0);
  }
}
