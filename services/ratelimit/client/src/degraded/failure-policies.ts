import { bucketIn } from '../leaky-bucket/bucket-in.ts';
import type { MicrosecondClock } from '../leaky-bucket/clock.ts';
import { retryAfter } from '../leaky-bucket/leaky-bucket.ts';
import { MemoryStore } from '../leaky-bucket/memory-store.ts';
import type { BucketRule, Charge, Check, Denial } from '../leaky-bucket/store.ts';

/** The decisions of a bucket while its store cannot be asked. */
export const POLICIES = ['local', 'open', 'closed'] as const;
export type Policy = (typeof POLICIES)[number];

export interface PolicyRule extends BucketRule {
  readonly policy: Policy;
}

/** The wait of a closed bucket's denial. */
const CLOSED_US = 1_000_000;

export interface FailurePoliciesOptions {
  readonly rules: readonly PolicyRule[];
  /** Processes that share the limits: each admits its part. */
  readonly replicas: number;
  /** For the buckets of policy `local`, as for a memory store. */
  readonly max_buckets: number;
  readonly shares?: readonly number[];
  readonly now_us: MicrosecondClock;
  /** The longest wait that is already known of a set's buckets. */
  denialFor(set: readonly Charge[]): Denial | undefined;
}

/**
 * Decides checks by each bucket's failure policy (docs/rate-limits.md#failure-policies): `local` by an exact bucket in
 * this process whose limit is its part of the rule's, `open` admits, `closed` denies for a second. A denial that is
 * already known holds.
 *
 * Sets mean what they always do: they are charged in order up to the first that denies, each as a whole or not at all,
 * and of several buckets that deny the longest wait is reported.
 */
export class FailurePolicies {
  /** The buckets of policy `local`. */
  readonly store: MemoryStore;
  readonly #options: FailurePoliciesOptions;
  readonly #parts = new WeakMap<BucketRule, BucketRule>();
  #policies: Policy[];

  constructor(options: FailurePoliciesOptions) {
    const { rules, max_buckets, now_us, shares } = options;
    this.#options = options;
    this.#policies = byIndex(rules);
    const parts = rules.map((rule) => this.#partOf(rule));
    this.store = new MemoryStore({ rules: parts, max_buckets, now_us, ...(shares && { shares }) });
  }

  /** Decides a check. A denial names the whole limit. */
  decide(check: Check): Denial | undefined {
    for (const set of check) {
      const denial = this.#decideSet(set);
      if (denial !== undefined) return denial;
    }
    return undefined;
  }

  setRules(rules: readonly PolicyRule[]): void {
    this.#policies = byIndex(rules);
    this.store.setRules(rules.map((rule) => this.#partOf(rule)));
  }

  #decideSet(set: readonly Charge[]): Denial | undefined {
    const counted = set.filter((charge) => this.#policyOf(charge) === 'local');
    const denial = longest(this.#options.denialFor(set), this.#closedIn(set));
    if (denial !== undefined) return longest(denial, this.#deniedOf(counted));
    const [met] = this.store.decide([[counted.map((charge) => this.#localCharge(charge))]]);
    return met && asAsked(counted, met);
  }

  #closedIn(set: readonly Charge[]): Denial | undefined {
    const closed = set.find((charge) => charge.cost >= 0 && this.#policyOf(charge) === 'closed');
    return closed && denialOf(closed, CLOSED_US, CLOSED_US);
  }

  /** The longest wait among the buckets of a denied set that would deny too. Nothing is charged. */
  #deniedOf(set: readonly Charge[]): Denial | undefined {
    const charges = set.map((charge) => this.#localCharge(charge));
    let denial: Denial | undefined;
    for (const [i, { level, empty_after_us }] of this.store.read(charges).entries()) {
      const [asked, charge] = [set[i], charges[i]];
      if (asked === undefined || charge === undefined) continue; // never: the store reads each bucket
      const retry_after_us = retryAfter(charge.rule, level, charge.cost);
      if (retry_after_us > 0) denial = longest(denial, denialOf(asked, retry_after_us, empty_after_us));
    }
    return denial;
  }

  /** The rule at this process's part of the limit, at least one token. */
  #partOf(rule: BucketRule): BucketRule {
    let part = this.#parts.get(rule);
    if (part === undefined) {
      const { name, index, group = 0, window_us } = rule;
      const limit = Math.max(1, Math.floor(rule.limit / this.#options.replicas));
      part = { name, index, group, limit, window_us, capacity: limit * window_us };
      this.#parts.set(rule, part);
    }
    return part;
  }

  /** A cost above this process's part counts as the whole part, or it would never be admitted; above the limit it never is. */
  #localCharge({ rule, key, cost }: Charge): Charge {
    const part = this.#partOf(rule);
    const most = cost > rule.limit ? part.limit + 1 : part.limit;
    return { rule: part, key, cost: Math.min(cost, most) };
  }

  #policyOf({ rule }: Charge): Policy {
    return this.#policies[rule.index] ?? 'local';
  }
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

/** The denial under the rule of the charge, in place of this process's part of it. */
function asAsked(set: readonly Charge[], denial: Denial): Denial {
  return { ...denial, rule: bucketIn(set, denial)?.rule ?? denial.rule };
}
