import { createHash } from 'node:crypto';
import { INTERNAL_BUCKETS } from '@gatehouse/proto/buckets';
import type { Policy } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { mayBeSecret } from '@gatehouse/ratelimit-client/keys/key-of';
import type { BucketRule } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { InvalidReference, type KeyPart, readRows } from './read-rows.ts';
import { groupOf } from './store-shares.ts';

/** A row of the bucket reference. */
export interface Rule extends BucketRule {
  readonly window_seconds: number;
  readonly key: readonly KeyPart[];
  /** Other names of the same bucket. */
  readonly aliases: readonly string[];
  /** How it decides while the store does not answer. */
  readonly policy: Policy;
  /** Whether an identity of its key may have to be hashed. */
  readonly mayNeedHash: boolean;
  /** Of an override: the rule that it replaces, and whether it exempts from it. */
  readonly overridden?: { readonly rule: Rule; readonly exempt: boolean };
}

export interface Reference {
  /** All rows, in the file's order. */
  readonly rules: readonly Rule[];
  /** The rows that callers may name: those of docs/rate-limits.md#buckets. */
  readonly listed: readonly Rule[];
  readonly byIndex: ReadonlyMap<number, Rule>;
  /** Listed rows by name and by alias. */
  readonly byName: ReadonlyMap<string, Rule>;
  /** Rows that callers cannot name (slowmode, profile fields). */
  readonly internal: Readonly<Record<InternalName, Rule>>;
  /** The first 16 hexadecimal digits of a SHA-256 over all rows. */
  readonly revision: string;
}

type InternalName = keyof typeof INTERNAL_BUCKETS;

/** The index of a rule's name, the same for the life of the process. */
export type RuleIndexes = (name: string) => number;

/** Numbers names in the order of their first use. */
export function ruleIndexes(): RuleIndexes {
  const indexes = new Map<string, number>();
  return (name) => {
    const index = indexes.get(name) ?? indexes.size;
    indexes.set(name, index);
    return index;
  };
}

/**
 * Reads and checks the rows of buckets.json, which holds every limit of the API.
 *
 * @throws InvalidReference with every invalid row
 */
export function parseReference(text: string, indexOf: RuleIndexes = ruleIndexes()): Reference {
  const rows = readRows(text);
  const rules = rows.map(
    ({ internal: _, ...row }): Rule => ({
      ...row,
      index: indexOf(row.name),
      group: groupOf(row.key),
      mayNeedHash: row.key.some(mayBeSecret),
    }),
  );
  const listed = rules.filter((_, index) => rows[index]?.internal === false);
  if (!listed.some(({ name }) => name === 'global')) {
    throw new InvalidReference([
      'global: callers must be able to name this row, as the edge does for every request',
    ]);
  }
  const unlisted = new Map(
    rules.filter((rule) => !listed.includes(rule)).map((rule) => [rule.name, rule] as const),
  );
  return {
    rules,
    listed,
    byIndex: new Map(rules.map((rule) => [rule.index, rule])),
    byName: new Map(listed.flatMap((rule) => [rule.name, ...rule.aliases].map((name) => [name, rule]))),
    internal: internalRules(unlisted),
    revision: createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16),
  };
}

function internalRules(found: ReadonlyMap<string, Rule>): Record<InternalName, Rule> {
  const missing = Object.keys(INTERNAL_BUCKETS).filter((name) => !found.has(name));
  const unknown = [...found.keys()].filter((name) => !Object.hasOwn(INTERNAL_BUCKETS, name));
  const problems = [
    ...missing.map((name) => `${name}: this row must be internal`),
    ...unknown.map((name) => `${name}: no RPC charges an internal row of this name`),
  ];
  if (problems.length > 0) throw new InvalidReference(problems);
  // All names of the record were found.
  return Object.fromEntries(found) as Record<InternalName, Rule>;
}
