import { retryAfter } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import type { BucketState, Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** How a charge would be decided. */
export interface Forecast<C extends Charge> {
  /** The place of its set in the check. */
  readonly set: number;
  readonly charge: C;
  readonly state: BucketState;
  /** Microseconds until its cost is admitted; 0: now. */
  readonly retry_after_us: number;
}

/**
 * How a check would be decided with its buckets in these states, one for each charge, set by set. A set
 * that is admitted is counted for the sets behind it, as it would be charged.
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
      if (state === undefined) throw new Error('the store reads every bucket that it is asked for');
      return {
        set,
        charge,
        state,
        retry_after_us: retryAfter(charge.rule, state.level + before(charge), charge.cost),
      };
    });
    forecasts.push(...ofSet);
    admitted &&= ofSet.every(({ retry_after_us }) => retry_after_us === 0);
    if (admitted) charged.push(...charges);
  }
  return { forecasts, admitted };

  /** What earlier sets would add to the charge's bucket. */
  function before({ rule, key }: Charge): number {
    return charged
      .filter((earlier) => earlier.rule.index === rule.index && earlier.key === key)
      .reduce((units, { cost }) => units + cost * rule.window_us, 0);
  }
}
