import { bucketKey, identitiesOfKey } from '@gatehouse/ratelimit-client/keys/bucket-key';
import type { HashIdentity } from '@gatehouse/ratelimit-client/keys/identity-hash';
import { keyOf } from '@gatehouse/ratelimit-client/keys/key-of';
import type { Bucket } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { DeniedIdentities } from '../denied/denied-identities.ts';
import type { Rule } from '../reference/reference.ts';
import type { Rules } from '../reference/rules.ts';
import { SLOWMODE } from './overridden-rule.ts';
import type { OverrideTable } from './override-table.ts';

export interface RuleBucket extends Bucket {
  readonly rule: Rule;
}

/**
 * The buckets that an identity may have: all whose key is the identity alone; and of those whose key has other values too, the
 * ones that this process denied in the last ten minutes. A store cannot find the rest: their keys have values that nobody names.
 *
 * @param bucket the name of the only row that counts; undefined: all rows
 */
export type IdentityBuckets = (identity: string, bucket: string | undefined) => readonly RuleBucket[];

export interface IdentityBucketsOptions {
  readonly rules: Rules;
  readonly hash: HashIdentity;
  readonly table: OverrideTable;
  readonly denied: DeniedIdentities;
}

export function identityBuckets({ rules, hash, table, denied }: IdentityBucketsOptions): IdentityBuckets {
  return (identity, bucket) => {
    const isWanted = ({ name }: Rule): boolean => bucket === undefined || name === bucket;
    const current = rules.current();
    const alone = current.rules.filter(({ key }) => key.length === 1).filter(isWanted);
    const found = alone.map((rule) => bucketOf(rule, keyOf(rule, [identity], hash)));
    const known = new Set(found.map(idOf));
    const hashed = hash(identity);

    for (const { rule: charged, key } of denied.buckets()) {
      const named = current.byIndex.get(charged.index);
      const values = identitiesOfKey(key);
      if (named === undefined || !isWanted(named)) continue;
      if (!values.includes(identity) && !values.includes(hashed)) continue;
      // Slowmode has the rule of its channel's interval.
      const rule = named.name === SLOWMODE ? { ...named, ...charged } : named;
      const denial = bucketOf(
        rule,
        key,
        values.map((value) => (value === hashed ? identity : value)),
      );
      if (known.has(idOf(denial))) continue;
      known.add(idOf(denial));
      found.push(denial);
    }
    return found;

    function bucketOf(rule: Rule, key: string, identities: readonly string[] = [identity]): RuleBucket {
      return { rule: table.ruleFor(rule, identities), key };
    }
  };
}

function idOf({ rule, key }: Bucket): string {
  return bucketKey([String(rule.index), key]);
}
