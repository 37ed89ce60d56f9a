import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type LimitKind, rate } from '../../src/leaky-bucket/rate.ts';
import type { BucketRule, Charge, Decision, Store } from '../../src/leaky-bucket/store.ts';

/** A store whose clock the test sets. */
export interface OpenStore {
  readonly store: Store;
  /**
   * Sets the clock, in microseconds since 1970; it may go back. A store that expires buckets by another clock must
   * keep them as long as this one requires.
   */
  setNow(now_us: number): void;
  close(): Promise<void>;
}

/** An open store, and helpers for tests. Each test has its own, empty buckets. */
export interface StoreHarness {
  opened(): OpenStore;
  store(): Store;
  /** Sets the time since the start of the test. */
  at(since_us: number): void;
  advance(step_us: number): void;
  /** A charge of one token to the bucket of `who`. */
  chargeOf(rule: BucketRule, cost?: number, who?: string): Charge;
  /** A charge of permits to a lease of the bucket of `who`. */
  leaseOf(rule: BucketRule, lease_id: string, cost?: number, who?: string): Charge;
  decide(...check: (readonly Charge[])[]): Promise<Decision>;
  /** Microseconds to wait; 0: admitted. */
  waitOf(...check: (readonly Charge[])[]): Promise<number>;
  /** In tokens. */
  levelOf(rule: BucketRule): Promise<number>;
}

export const START_US = 1_700_000_000_000_000;
export const SECOND_US = 1_000_000;

export const fast = ruleOf('fast', 0, 3, 1);
export const slow = ruleOf('slow', 1, 2, 60);
export const wide = ruleOf('wide', 2, 7, 10_800);
/** Near the largest exact integers. */
export const huge = ruleOf('huge', 3, 100_000, 2_000);

/** Three tokens in each window of ten seconds. */
export const fixed = ruleOf('fixed', 5, 3, 10, 'fixed_window');
/** Five permits; a lease ends after a minute. */
export const permits = ruleOf('permits', 6, 5, 60, 'concurrency');

export function ruleOf(
  name: string,
  index: number,
  limit: number,
  window_seconds: number,
  kind: LimitKind = 'leaky_bucket',
): BucketRule {
  return { name, index, ...rate(limit, window_seconds, kind) };
}

/** Opens the store once for all tests around this call. */
export function storeHarness(open: () => Promise<OpenStore>): StoreHarness {
  let current: OpenStore | undefined;
  let now_us = START_US;
  let first: string;

  beforeAll(async () => {
    current = await open();
  });
  afterAll(() => current?.close());
  beforeEach(() => {
    first = `account:${randomUUID()}`;
    at(0);
  });

  function opened(): OpenStore {
    if (current === undefined) throw new Error('a store is open in tests only');
    return current;
  }

  function store(): Store {
    return opened().store;
  }

  function at(since_us: number): void {
    now_us = START_US + since_us;
    opened().setNow(now_us);
  }

  function chargeOf(rule: BucketRule, cost = 1, who = 'a'): Charge {
    return { rule, key: `${first}|channel:${who}`, cost };
  }

  async function decide(...check: (readonly Charge[])[]): Promise<Decision> {
    const decisions = await store().decide([check]);
    expect(decisions).toHaveLength(1);
    return decisions[0];
  }

  return {
    opened,
    store,
    at,
    advance: (step_us) => at(now_us - START_US + step_us),
    chargeOf,
    leaseOf: (rule, lease_id, cost = 1, who = 'a') => ({ ...chargeOf(rule, cost, who), lease_id }),
    decide,
    waitOf: async (...check) => (await decide(...check))?.retry_after_us ?? 0,
    levelOf: async (rule) => {
      const [state] = await store().read([chargeOf(rule)]);
      return (state?.level ?? Number.NaN) / rule.window_us;
    },
  };
}
