import { waitFor } from '@gatehouse/ratelimit-client/leaky-bucket/bucket-level';
import { permitWait } from '@gatehouse/ratelimit-client/leaky-bucket/permits';
import type { Charge, Lease, ReadState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { isExempt } from '../overrides/overridden-rule.ts';
import type { Rule } from '../reference/reference.ts';

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
export function dryRun<C extends Charge & { readonly rule: Rule }>(
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
      if (isExempt(charge.rule)) return { set, charge, state, retry_after_us: 0 };
      const before = charge.rule.kind === 'concurrency' ? [...charged, ...charges.slice(0, i)] : charged;
      return { set, charge, state, retry_after_us: waitIn(state, charge, before) };
    });
    forecasts.push(...ofSet);
    admitted &&= ofSet.every(({ retry_after_us }) => retry_after_us === 0);
    if (admitted) charged.push(...charges.filter(({ rule }) => !isExempt(rule)));
  }
  return { forecasts, admitted };
}

/** Microseconds until a charge is admitted after the charges before it. */
function waitIn(state: ReadState, charge: Charge, before: readonly Charge[]): number {
  const { rule, key, lease_id, cost } = charge;
  const { level, empty_after_us, read_at_us } = state;
  const sameBucket = before.filter((earlier) => earlier.rule.index === rule.index && earlier.key === key);
  if (rule.kind === 'concurrency') {
    return permitWait(rule, leasesAfter(state, sameBucket), lease_id, cost, read_at_us);
  }
  const charged = sameBucket.reduce((tokens, earlier) => tokens + earlier.cost, 0);
  const start_us = level === 0 ? 0 : read_at_us + empty_after_us - rule.window_us; // of a fixed window
  return waitFor(rule, level + charged * rule.token, cost, start_us, read_at_us);
}

function leasesAfter({ rule, leases = [], read_at_us }: ReadState, charges: readonly Charge[]): Lease[] {
  let after = [...leases];
  for (const { lease_id: id = '', cost: permits } of charges) {
    const others = after.filter((lease) => lease.id !== id);
    after = [...others, { id, permits, ends_us: read_at_us + rule.window_us }];
  }
  return after;
}
