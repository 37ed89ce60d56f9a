import { BUCKET_ALIASES, BUCKETS, INTERNAL_BUCKETS } from '@gatehouse/proto/buckets';
import {
  type Bucket,
  FailurePolicy,
  type ListBucketsResponse,
  LimitKind as WireKind,
} from '@gatehouse/proto/ratelimit';
import type { Policy, PolicyRule } from './degraded/failure-policies.ts';
import { type KeyRule, mayBeSecret } from './keys/key-of.ts';
import { type LimitKind, rate } from './leaky-bucket/rate.ts';

/** A row of the bucket reference, as this process applies it. */
export interface LimitRule extends PolicyRule, KeyRule {}

/** The bucket reference that this process applies. */
export interface LimitRules {
  /** The revision of ListBuckets; empty for the rules that this package was built with. */
  readonly revision: string;
  readonly rules: readonly LimitRule[];
  /** The rules that callers may name, by name and alias. */
  readonly byName: ReadonlyMap<string, LimitRule>;
  /** The rules of buckets that callers cannot name (slowmode, profile fields). */
  readonly internal: Readonly<Record<InternalName, LimitRule>>;
}

type InternalName = keyof typeof INTERNAL_BUCKETS;
type BucketRow = Pick<Bucket, 'name' | 'limit' | 'window_seconds' | 'key' | 'aliases'> & {
  readonly policy: Policy;
  readonly kind: LimitKind;
};

/** Reads rules. A rule with the same name keeps its index. */
export class RulesReader {
  readonly #indexes = new Map<string, number>();
  readonly #internal: readonly LimitRule[];

  constructor() {
    this.#internal = Object.entries(INTERNAL_BUCKETS).map(([name, row]) =>
      this.#ruleOf({ kind: 'leaky_bucket', name, ...row, key: [...row.key], aliases: [] }),
    );
  }

  /** The rules that this package was built with. */
  builtIn(): LimitRules {
    return this.#read(BUILT_IN, '');
  }

  /** The rules that ratelimit serves, and the built-in internal ones, which ListBuckets leaves out. */
  served({ buckets, revision }: ListBucketsResponse): LimitRules {
    const rows = buckets.map((bucket) => ({
      ...bucket,
      policy: policyOf(bucket.policy),
      kind: kindOf(bucket.kind),
    }));
    return this.#read(rows.filter(isCountable), revision);
  }

  #read(rows: readonly BucketRow[], revision: string): LimitRules {
    const named = rows.map((row) => ({ row, rule: this.#ruleOf(row) }));
    return {
      revision,
      rules: [...named.map(({ rule }) => rule), ...this.#internal],
      byName: new Map(
        named.flatMap(({ row, rule }) => [row.name, ...row.aliases].map((name) => [name, rule] as const)),
      ),
      // The names are those of INTERNAL_BUCKETS.
      internal: Object.fromEntries(this.#internal.map((rule) => [rule.name, rule])) as LimitRules['internal'],
    };
  }

  #ruleOf({ name, limit, window_seconds, key, policy, kind }: BucketRow): LimitRule {
    const index = this.#indexes.get(name) ?? this.#indexes.size;
    this.#indexes.set(name, index);
    return {
      name,
      index,
      ...rate(limit, window_seconds, kind),
      policy,
      key,
      mayNeedHash: key.some(mayBeSecret),
    };
  }
}

const BUILT_IN: readonly BucketRow[] = Object.entries(BUCKETS).map(([name, row]) => ({
  kind: 'leaky_bucket',
  ...row,
  name,
  key: [...row.key],
  aliases: Object.entries(BUCKET_ALIASES).flatMap(([alias, of]) => (of === name ? alias : [])),
}));

/** False for limits of a later version, which this one cannot count. */
function isCountable({ limit, window_seconds, kind }: BucketRow): boolean {
  try {
    rate(limit, window_seconds, kind);
    return true;
  } catch {
    return false;
  }
}

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

function kindOf(kind: Bucket['kind']): LimitKind {
  switch (kind) {
    case WireKind.LIMIT_KIND_FIXED_WINDOW:
      return 'fixed_window';
    case WireKind.LIMIT_KIND_CONCURRENCY:
      return 'concurrency';
    default:
      return 'leaky_bucket';
  }
}
