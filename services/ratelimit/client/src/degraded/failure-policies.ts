import { bucketIn } from '../leaky-bucket/bucket-in.ts';
import type { MicrosecondClock } from '../leaky-bucket/clock.ts';
import { retryAfter } from '../leaky-bucket/leaky-bucket.ts';
import { type MemoryStore, memoryStore } from '../leaky-bucket/memory-store.ts';
import type { BucketRule, Charge, Check, Denial } from '../leaky-bucket/store.ts';

/** How a bucket decides while whoever counts it cannot be asked. */
export const POLICIES = ['local', 'open', 'closed'] as const;
export type Policy = (typeof POLICIES)[number];

export interface PolicyRule extends BucketRule {
  readonly policy: Policy;
}

/** How long a closed bucket sends callers away. */
const CLOSED_US = 1_000_000;

export interface FailurePolicies {
  /** What the check comes to; a denial names the whole limit. */
  decide(check: Check): Denial | undefined;
  setRules(rules: readonly PolicyRule[]): void;
  /** The buckets of policy `local`. */
  readonly store: MemoryStore;
}

export interface FailurePoliciesOptions {
  readonly rules: readonly PolicyRule[];
  /** Processes that share the limits: each admits its part. */
  readonly replicas: number;
  /** For the buckets of policy `local`, as a memory store has it. */
  readonly max_buckets: number;
  readonly shares?: readonly number[];
  readonly now_us: MicrosecondClock;
  /** The longest wait that is known of a set's buckets from before. */
  denialFor(set: readonly Charge[]): Denial | undefined;
}

/**
 * Decides checks by each bucket's failure policy (docs/rate-limits.md#failure-policies): `local` by an exact
 * bucket in this process whose limit is its part of the rule's, `open` admits, `closed` denies for a second.
 * Where a denial is known from before, it holds.
 *
 * Sets mean what they always do: they are charged in order up to one that denies, each as a whole or not at
 * all, and of several buckets that deny the longest wait is reported.
 */
export function failurePolicies(options: FailurePoliciesOptions): FailurePolicies {
  const { rules, replicas, max_buckets, shares, now_us, denialFor } = options;
  const parts = new WeakMap<BucketRule, BucketRule>();
  const store = memoryStore({ rules: rules.map(partOf), max_buckets, now_us, ...(shares && { shares }) });
  let policies = byIndex(rules);

  function decide(check: Check): Denial | undefined {
    for (const set of check) {
      const denial = decideSet(set);
      if (denial !== undefined) return denial;
    }
    return undefined;
  }

  function decideSet(set: readonly Charge[]): Denial | undefined {
    const counted = set.filter(isLocal);
    const denial = longest(denialFor(set), closedIn(set));
    if (denial !== undefined) return longest(denial, deniedOf(counted));
    const [met] = store.decide([[counted.map(localCharge)]]);
    return met && asAsked(counted, met);
  }

  function closedIn(set: readonly Charge[]): Denial | undefined {
    const closed = set.find((charge) => charge.cost >= 0 && policyOf(charge) === 'closed');
    return closed && denialOf(closed, CLOSED_US, CLOSED_US);
  }

  /** Of a set that is denied already: the longest wait of those that would deny too. Nothing is charged. */
  function deniedOf(set: readonly Charge[]): Denial | undefined {
    const charges = set.map(localCharge);
    let denial: Denial | undefined;
    for (const [i, { level, empty_after_us }] of store.read(charges).entries()) {
      const [asked, charge] = [set[i], charges[i]];
      if (asked === undefined || charge === undefined) continue; // the store reads each that it is asked for
      const retry_after_us = retryAfter(charge.rule, level, charge.cost);
      if (retry_after_us > 0) denial = longest(denial, denialOf(asked, retry_after_us, empty_after_us));
    }
    return denial;
  }

  /** The rule at this process's part of the limit, at least one token. */
  function partOf(rule: BucketRule): BucketRule {
    let part = parts.get(rule);
    if (part === undefined) {
      const { name, index, group = 0, window_us } = rule;
      const limit = Math.max(1, Math.floor(rule.limit / replicas));
      part = { name, index, group, limit, window_us, capacity: limit * window_us };
      parts.set(rule, part);
    }
    return part;
  }

  /** A cost above this process's part counts as all of it, or it would never be admitted; above the limit it never is. */
  function localCharge({ rule, key, cost }: Charge): Charge {
    const part = partOf(rule);
    const most = cost > rule.limit ? part.limit + 1 : part.limit;
    return { rule: part, key, cost: Math.min(cost, most) };
  }

  const policyOf = ({ rule }: Charge): Policy => policies[rule.index] ?? 'local';
  const isLocal = (charge: Charge): boolean => policyOf(charge) === 'local';

  return {
    decide,
    setRules: (changed) => {
      policies = byIndex(changed);
      store.setRules(changed.map(partOf));
    },
    store,
  };
}

function byIndex(rules: readonly PolicyRule[]): Policy[] {
  const policies: Policy[] = [];
  for (const { index, policy } of rules) policies[index] = policy;
  return policies;
}

function longest(one: Denial | undefined, other: Denial | undefined): Denial | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.retry_after_us > one.retry_after_us ? other : one;
}

function denialOf({ rule, key }: Charge, retry_after_us: number, empty_after_us: number): Denial {
  return { rule, key, retry_after_us, empty_after_us };
}

/** The denial with the rule that was asked about in place of this process's part of it. */
function asAsked(set: readonly Charge[], denial: Denial): Denial {
  return { ...denial, rule: bucketIn(set, denial)?.rule ?? denial.rule };
}
