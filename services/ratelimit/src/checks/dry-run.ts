import { waitFor } from '@gatehouse/ratelimit-client/leaky-bucket/bucket-level';
import type { Charge, ReadState } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** The outcome that a charge would have. */
export interface Forecast<C extends Charge> {
  /** The index of its set in the check. */
  readonly set: number;
  readonly charge: C;
  readonly state: ReadState;
  /** Microseconds until its cost is admitted; 0: now. */
  readonly retry_after_us: number;
}

/**
 * Decides a check from the states of its buckets, one for each charge in order. Later sets see the charges of admitted
 * ones.
 */
export function dryRun<C extends Charge>(
  check: readonly (readonly C[])[],
  states: readonly ReadState[],
): { readonly forecasts: readonly Forecast<C>[]; readonly admitted: boolean } {
  const forecasts: Forecast<C>[] = [];
  const charged: Charge[] = [];
  let admitted = true;
  for (const [set, charges] of check.entries()) {
    const ofSet = charges.map((charge, i): Forecast<C> => {
      const state = states[forecasts.length + i];
      if (state === undefined) throw new Error('the store did not read every bucket');
      return { set, charge, state, retry_after_us: waitIn(state, charge.cost, chargedBefore(charge)) };
    });
    forecasts.push(...ofSet);
    admitted &&= ofSet.every(({ retry_after_us }) => retry_after_us === 0);
    if (admitted) charged.push(...charges);
  }
  return { forecasts, admitted };

  /** The tokens that earlier sets charge to the charge's bucket. */
  function chargedBefore({ rule, key }: Charge): number {
    return charged
      .filter((earlier) => earlier.rule.index === rule.index && earlier.key === key)
      .reduce((tokens, { cost }) => tokens + cost, 0);
  }
}

/** Microseconds until `cost` tokens are admitted after `charged` more. */
function waitIn(state: ReadState, cost: number, charged: number): number {
  const { rule, level, empty_after_us, read_at_us } = state;
  const start_us = level === 0 ? 0 : read_at_us + empty_after_us - rule.window_us; // of a fixed window
  return waitFor(rule, level + charged * rule.token, cost, start_us, read_at_us);
}
