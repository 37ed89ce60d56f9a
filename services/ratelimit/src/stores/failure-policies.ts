import type { MicrosecondClock } from '@gatehouse/ratelimit-client/leaky-bucket/clock';
import { type MemoryStore, memoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import type { BucketRule, Charge, Check, Denial } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { bucketIn } from '../checks/bucket-in.ts';
import type { Verdict } from '../checks/verdict.ts';
import type { Rules } from '../reference/rules.ts';
import { STORE_SHARES } from './store-shares.ts';

/** How long a closed bucket sends callers away. */
const CLOSED_US = 1_000_000;
const ADMITTED: Verdict = { denial: undefined, degraded: true };

export interface FailurePolicies {
  decide(check: Check): Verdict;
  /** The buckets of policy `local`. */
  readonly store: MemoryStore;
}

export interface FailurePoliciesOptions {
  readonly rules: Rules;
  /** Processes that share the limits: each admits its part. */
  readonly replicas: number;
  readonly max_buckets: number;
  readonly now_us: MicrosecondClock;
}

/**
 * Decides by each bucket's failure policy while the store cannot be reached: `local` by an exact bucket
 * in this process whose limit is its part of the rule's, `open` admits, `closed` denies for a second.
 * Sets and their order mean what they always do.
 */
export function failurePolicies(options: FailurePoliciesOptions): FailurePolicies {
  const { rules, replicas, max_buckets, now_us } = options;
  const parts = new WeakMap<BucketRule, BucketRule>();
  const store = memoryStore({
    rules: rules.current().rules.map(partOf),
    max_buckets,
    shares: STORE_SHARES,
    now_us,
  });
  rules.onReload((changed) => store.setRules(changed.rules.map(partOf)));

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

  /** A cost above this process's part counts as all of it, or it would never be admitted. */
  function localCharge({ rule, key, cost }: Charge): Charge {
    const part = partOf(rule);
    return { rule: part, key, cost: Math.min(cost, part.limit) };
  }

  const policyOf = ({ rule }: Charge): string => rules.current().byIndex.get(rule.index)?.policy ?? 'local';
  const isClosed = (charge: Charge): boolean => charge.cost >= 0 && policyOf(charge) === 'closed';
  const isLocal = (charge: Charge): boolean => policyOf(charge) === 'local';

  return {
    store,
    decide: (check) => {
      const end = check.findIndex((set) => set.some(isClosed));
      const open = end < 0 ? check : check.slice(0, end);
      const [denial] = store.decide([open.map((set) => set.filter(isLocal).map(localCharge))]);
      if (denial !== undefined) return { denial: asAsked(check, denial), degraded: true };
      const closed = check[end]?.find(isClosed);
      return closed === undefined ? ADMITTED : { denial: closedFor(closed), degraded: true };
    },
  };
}

function closedFor({ rule, key }: Charge): Denial {
  return { rule, key, retry_after_us: CLOSED_US, empty_after_us: CLOSED_US };
}

/** The denial with the rule that was asked about in place of this process's part of it. */
function asAsked(check: Check, denial: Denial): Denial {
  for (const set of check) {
    const charge = bucketIn(set, denial);
    if (charge !== undefined) return { ...denial, rule: charge.rule };
  }
  return denial;
}
