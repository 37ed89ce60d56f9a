import { chargeIn } from '../leaky-bucket/charge-in.ts';
import type { MicrosecondClock } from '../leaky-bucket/clock.ts';
import { MemoryStore } from '../leaky-bucket/memory-store.ts';
import { rateOf } from '../leaky-bucket/rate.ts';
import type { BucketRule, Charge, Check, Denial } from '../leaky-bucket/store.ts';

/** How a bucket decides while its store does not answer. */
export const POLICIES = ['local', 'open', 'closed'] as const;
export type Policy = (typeof POLICIES)[number];

export interface PolicyRule extends BucketRule {
  readonly policy: Policy;
}

/** The wait of a closed bucket's denial. */
const CLOSED_WAIT_US = 1_000_000;

export interface FailurePoliciesOptions {
  readonly rules: readonly PolicyRule[];
  /** Processes that share the limits equally. */
  readonly replicas: number;
  /** Maximum buckets of policy `local`. */
  readonly max_buckets: number;
  /** As in MemoryStoreOptions. */
  readonly shares?: readonly number[];
  readonly now_us: MicrosecondClock;
  /** The remembered denial with the longest wait among a set's buckets. */
  denialFor(set: readonly Charge[]): Denial | undefined;
}

/**
 * Decides checks by each bucket's failure policy (docs/rate-limits.md#failure-policies). `local` counts in a bucket of this
 * process, whose limit is the process's share of the rule's limit. `open` admits, `closed` denies for a second. Remembered
 * denials still hold. Sets are charged as by a store.
 */
export class FailurePolicies {
  /** The buckets of policy `local`. */
  readonly store: MemoryStore;
  readonly #options: FailurePoliciesOptions;
  readonly #localRules = new WeakMap<BucketRule, BucketRule>();
  #policies: Policy[];

  constructor(options: FailurePoliciesOptions) {
    const { rules, max_buckets, now_us, shares } = options;
    this.#options = options;
    this.#policies = policiesByIndex(rules);
    const localRules = rules.map((rule) => this.#localRuleOf(rule));
    this.store = new MemoryStore({ rules: localRules, max_buckets, now_us, ...(shares && { shares }) });
  }

  /** Decides a check. A denial has the rule with the whole limit. */
  decide(check: Check): Denial | undefined {
    for (const set of check) {
      const denial = this.#decideSet(set);
      if (denial !== undefined) return denial;
    }
    return undefined;
  }

  /** Ends leases that this process granted. */
  release(leases: readonly Charge[]): void {
    this.store.decideOne([leases.map((lease) => ({ ...this.#localCharge(lease), cost: -1 }))]);
  }

  setRules(rules: readonly PolicyRule[]): void {
    this.#policies = policiesByIndex(rules);
    this.store.setRules(rules.map((rule) => this.#localRuleOf(rule)));
  }

  #decideSet(set: readonly Charge[]): Denial | undefined {
    const counted = set.filter((charge) => this.#policyOf(charge) === 'local');
    const denial = longest(this.#options.denialFor(set), this.#closedDenialOf(set));
    if (denial !== undefined) return longest(denial, this.#localDenialOf(counted));
    const localDenial = this.store.decideOne([counted.map((charge) => this.#localCharge(charge))]);
    return localDenial && withWholeLimit(counted, localDenial);
  }

  #closedDenialOf(set: readonly Charge[]): Denial | undefined {
    const closed = set.find((charge) => charge.cost >= 0 && this.#policyOf(charge) === 'closed');
    return closed && denialOf(closed, CLOSED_WAIT_US, CLOSED_WAIT_US);
  }

  /** For a set that is denied anyway: the longest wait among its local buckets that deny too. Nothing is charged. */
  #localDenialOf(set: readonly Charge[]): Denial | undefined {
    return set
      .map((charge) => this.store.denialOf(this.#localCharge(charge)))
      .map((denial) => denial && withWholeLimit(set, denial))
      .reduce(longest, undefined);
  }

  /** The rule with this process's share of the limit, at least one token. */
  #localRuleOf(rule: BucketRule): BucketRule {
    let localRule = this.#localRules.get(rule);
    if (localRule === undefined) {
      const { name, index, group = 0, kind, window_us } = rule;
      const limit = Math.max(1, Math.floor(rule.limit / this.#options.replicas));
      localRule = { name, index, group, ...rateOf(limit, window_us, kind) };
      this.#localRules.set(rule, localRule);
    }
    return localRule;
  }

  /** A cost above the share but within the limit takes the whole share; otherwise it would never be admitted. */
  #localCharge(charge: Charge): Charge {
    const { rule, cost } = charge;
    const localRule = this.#localRuleOf(rule);
    const most = cost > rule.limit ? localRule.limit + 1 : localRule.limit;
    return { ...charge, rule: localRule, cost: Math.min(cost, most) };
  }

  #policyOf({ rule }: Charge): Policy {
    return this.#policies[rule.index] ?? 'local';
  }
}

function policiesByIndex(rules: readonly PolicyRule[]): Policy[] {
  const policies: Policy[] = [];
  for (const { index, policy } of rules) policies[index] = policy;
  return policies;
}

function longest(first: Denial | undefined, second: Denial | undefined): Denial | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return second.retry_after_us > first.retry_after_us ? second : first;
}

function denialOf({ rule, key }: Charge, retry_after_us: number, empty_after_us: number): Denial {
  return { rule, key, retry_after_us, empty_after_us };
}

/** The denial under the rule of the charge, which has the whole limit. */
function withWholeLimit(set: readonly Charge[], denial: Denial): Denial {
  return { ...denial, rule: chargeIn(set, denial)?.rule ?? denial.rule };
}
