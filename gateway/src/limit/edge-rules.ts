import type { Bucket, FailurePolicy, ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import { type Rate, rate } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import type { BucketRule } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { isHidden } from './identity.ts';

/** A row of the bucket reference, as this process counts by it. */
export interface EdgeRule extends BucketRule {
  readonly policy: FailurePolicy;
  /** The parts of its key. */
  readonly key: readonly string[];
  /** Whether one of them says something about a person. */
  readonly hides: boolean;
  /** What this edge admits when it decides alone: its share of the limit, at least one. */
  readonly share: BucketRule;
}

/** The reference that ratelimit serves. */
export interface EdgeRules {
  readonly revision: string;
  readonly byName: ReadonlyMap<string, EdgeRule>;
  readonly shares: readonly BucketRule[];
}

/**
 * Makes the function that reads what ratelimit serves. A rule that is read anew keeps its index, as
 * BucketRule promises. `replicas` is the number of edges that share each limit.
 */
export function rulesReader(replicas: number): (served: ListBucketsResponse) => EdgeRules {
  const indexes = new Map<string, number>();

  function read({ name, limit, window_seconds, key, policy }: Bucket): EdgeRule {
    const index = indexes.get(name) ?? indexes.size;
    indexes.set(name, index);
    const rule = (of: Rate): BucketRule => ({ name, index, ...of });
    const share = rule(rate(Math.max(1, Math.floor(limit / replicas)), window_seconds));
    return { ...rule(rate(limit, window_seconds)), policy, key, hides: key.some(isHidden), share };
  }

  return ({ buckets, revision }) => {
    const rules = buckets.map(read);
    return {
      revision,
      byName: new Map(rules.map((rule) => [rule.name, rule])),
      shares: rules.map(({ share }) => share),
    };
  };
}
