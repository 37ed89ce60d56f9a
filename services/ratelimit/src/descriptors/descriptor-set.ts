import { createHash } from 'node:crypto';
import type { PolicyRule } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { RuleIndexes } from '../reference/reference.ts';
import { DESCRIPTOR_GROUP } from '../reference/store-shares.ts';
import type {
  Algorithm,
  DescriptorDefinition,
  DomainDefinition,
  LimitDefinition,
} from './file/definitions.ts';
import { pathPart } from './file/path-part.ts';
import { type DescriptorTree, descriptorTree } from './match/descriptor-tree.ts';

/** A domain, as requests use it. */
export interface Domain {
  readonly name: string;
  readonly tree: DescriptorTree;
  /** The rule of a limit of the tree; undefined: unlimited. */
  ruleOf(limit: LimitDefinition): PolicyRule | undefined;
  /** The rule of all limits that requests bring themselves, but for its rate. */
  readonly override: Pick<PolicyRule, 'name' | 'index' | 'group' | 'policy'>;
  readonly algorithm: Algorithm;
}

/** The domains of a configuration. */
export interface DescriptorSet {
  readonly domains: ReadonlyMap<string, Domain>;
  readonly rules: readonly PolicyRule[];
  /** The first 16 hexadecimal digits of a SHA-256 over all domains. */
  readonly revision: string;
}

/** Makes the rules of valid domains. A limit keeps its index by its path, so that levels are carried over. */
export function descriptorSet(
  definitions: readonly DomainDefinition[],
  algorithm: Algorithm,
  indexOf: RuleIndexes,
): DescriptorSet {
  const rules = new Map<LimitDefinition, PolicyRule>();
  for (const limit of definitions.flatMap(({ descriptors }) => limitsOf(descriptors))) {
    const rule = ruleOf(limit, algorithm, indexOf);
    if (rule !== undefined) rules.set(limit, rule);
  }
  const domains = definitions.map((definition): Domain => {
    // No path has this name: a key has no asterisk.
    const name = `${pathPart(definition.domain)}.*`;
    return {
      name: definition.domain,
      tree: descriptorTree(definition),
      ruleOf: (limit) => rules.get(limit),
      override: { name, index: indexOf(indexName(name)), group: DESCRIPTOR_GROUP, policy: 'local' },
      algorithm,
    };
  });
  const text = JSON.stringify([algorithm, definitions]);
  return {
    domains: new Map(domains.map((domain) => [domain.name, domain])),
    rules: [...rules.values()],
    revision: createHash('sha256').update(text).digest('hex').slice(0, 16),
  };
}

function limitsOf(descriptors: readonly DescriptorDefinition[]): LimitDefinition[] {
  return descriptors.flatMap(({ limit, descriptors: nested }) => [limit ?? [], limitsOf(nested)].flat());
}

/** A limit of 0 has the rule of 1: its charges have a cost above the limit. Without its store it denies too. */
function ruleOf(
  { path, rate: definition }: LimitDefinition,
  algorithm: Algorithm,
  indexOf: RuleIndexes,
): PolicyRule | undefined {
  if (definition === undefined) return undefined;
  const { requests_per_unit, window_seconds, failure_policy } = definition;
  return {
    name: path,
    index: indexOf(indexName(path)),
    group: DESCRIPTOR_GROUP,
    policy: requests_per_unit === 0 ? 'local' : failure_policy,
    ...rate(Math.max(1, requests_per_unit), window_seconds, definition.algorithm ?? algorithm),
  };
}

/** Rows of the reference have no blank in their names. */
function indexName(path: string): string {
  return `descriptors ${path}`;
}
