import { BUCKET_ALIASES, BUCKETS, INTERNAL_BUCKETS } from '@gatehouse/proto/buckets';
import { type Bucket, FailurePolicy, type ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import type { Policy, PolicyRule } from './degraded/failure-policies.ts';
import { type KeyRule, mayBeSecret } from './keys/key-of.ts';
import { rate } from './leaky-bucket/leaky-bucket.ts';

/** A row of the bucket reference, as this process counts by it. */
export interface LimitRule extends PolicyRule, KeyRule {}

/** The reference that this process goes by. */
export interface LimitRules {
  /** Of ListBuckets; empty for the rules that this package came with. */
  readonly revision: string;
  readonly rules: readonly LimitRule[];
  /** By name and by alias, those that callers may name. */
  readonly byName: ReadonlyMap<string, LimitRule>;
  /** Those that RPCs of their own charge. */
  readonly internal: Readonly<Record<InternalName, LimitRule>>;
}

type InternalName = keyof typeof INTERNAL_BUCKETS;
type Row = Pick<Bucket, 'name' | 'limit' | 'window_seconds' | 'key' | 'aliases'> & {
  readonly policy: Policy;
};

export interface RulesReader {
  /** The rules that this package came with. */
  builtIn(): LimitRules;
  /** Those that ratelimit serves. ListBuckets leaves out what callers cannot name: of that, those built in. */
  served(response: ListBucketsResponse): LimitRules;
}

/** Makes what reads rules. A rule that is read anew keeps its index, as BucketRule promises. */
export function rulesReader(): RulesReader {
  const indexes = new Map<string, number>();
  const internal = Object.entries(INTERNAL_BUCKETS).map(([name, row]) =>
    ruleOf({ name, ...row, key: [...row.key], aliases: [] }),
  );

  function ruleOf({ name, limit, window_seconds, key, policy }: Row): LimitRule {
    const index = indexes.get(name) ?? indexes.size;
    indexes.set(name, index);
    return { name, index, ...rate(limit, window_seconds), policy, key, secret: key.some(mayBeSecret) };
  }

  function read(rows: readonly Row[], revision: string): LimitRules {
    const named = rows.map((row) => ({ row, rule: ruleOf(row) }));
    return {
      revision,
      rules: [...named.map(({ rule }) => rule), ...internal],
      byName: new Map(
        named.flatMap(({ row, rule }) => [row.name, ...row.aliases].map((name) => [name, rule] as const)),
      ),
      // Its names are those of INTERNAL_BUCKETS, of which it was made.
      internal: Object.fromEntries(internal.map((rule) => [rule.name, rule])) as LimitRules['internal'],
    };
  }

  return {
    builtIn: () => read(BUILT_IN, ''),
    served: ({ buckets, revision }) =>
      read(
        buckets.map((row) => ({ ...row, policy: policyOf(row.policy) })),
        revision,
      ),
  };
}

const BUILT_IN: readonly Row[] = Object.entries(BUCKETS).map(([name, row]) => ({
  ...row,
  name,
  key: [...row.key],
  aliases: Object.entries(BUCKET_ALIASES).flatMap(([alias, of]) => (of === name ? alias : [])),
}));

function policyOf(policy: FailurePolicy): Policy {
  switch (policy) {
    case FailurePolicy.FAILURE_POLICY_OPEN:
      return 'open';
    case FailurePolicy.FAILURE_POLICY_CLOSED:
      return 'closed';
    case FailurePolicy.FAILURE_POLICY_LOCAL:
    case FailurePolicy.FAILURE_POLICY_UNSPECIFIED:
      return 'local';
  }
}
