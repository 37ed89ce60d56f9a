import type { DescriptorDefinition, DomainDefinition, LimitDefinition } from '../file/definitions.ts';
import { pathPart } from '../file/path-part.ts';
import { matchesWildcard, type Wildcard, wildcardOf } from './wildcard.ts';

export interface Entry {
  readonly key: string;
  readonly value: string;
}

/** The limit of a request's descriptor. */
export interface Match {
  readonly limit: LimitDefinition;
  /** The values that a bucket of the limit is counted by: those that the limit does not name. */
  readonly values: readonly string[];
  /** The name of the limit in metrics, with values of the request where the limit asks for them. */
  readonly metric: string;
}

/** One level of descriptors, by key. */
type Level = ReadonlyMap<string, Choices>;

/** The descriptors of one key, in the order in which they are tried. */
interface Choices {
  readonly exact: ReadonlyMap<string, Branch>;
  readonly wildcards: readonly (Branch & { readonly wildcard: Wildcard })[];
  readonly any: Branch | undefined;
}

interface Branch {
  readonly definition: DescriptorDefinition;
  readonly next: Level;
}

/** One entry of a request's descriptor, and the branch that it took. */
interface Step {
  readonly entry: Entry;
  readonly definition: DescriptorDefinition;
}

/** The descriptors of a domain, for matching. */
export interface DescriptorTree {
  /**
   * The limit of a descriptor: each entry takes one level, where an equal value precedes wildcards (the first in the file that
   * matches), and these precede a key without a value. The last entry must end at a limit.
   */
  match(entries: readonly Entry[]): Match | undefined;
}

export function descriptorTree({ domain, descriptors }: DomainDefinition): DescriptorTree {
  const root = levelOf(descriptors);
  return {
    match: (entries) => {
      const steps: Step[] = [];
      let level = root;
      for (const entry of entries) {
        const branch = branchFor(level.get(entry.key), entry.value);
        if (branch === undefined) return undefined;
        steps.push({ entry, definition: branch.definition });
        level = branch.next;
      }
      const limit = steps.at(-1)?.definition.limit;
      return limit && { limit, values: steps.flatMap(countedValue), metric: metricOf(domain, limit, steps) };
    },
  };
}

function levelOf(descriptors: readonly DescriptorDefinition[]): Level {
  const byKey = Map.groupBy(descriptors, ({ key }) => key);
  return new Map([...byKey].map(([key, definitions]) => [key, choicesOf(definitions)]));
}

function choicesOf(definitions: readonly DescriptorDefinition[]): Choices {
  const branches = definitions.map((definition): Branch => {
    return { definition, next: levelOf(definition.descriptors) };
  });
  const named = ({ definition }: Branch): string => definition.value;
  const exact = branches.filter((branch) => named(branch) !== '' && !named(branch).includes('*'));
  return {
    exact: new Map(exact.map((branch) => [named(branch), branch])),
    wildcards: branches
      .filter((branch) => named(branch).includes('*'))
      .map((branch) => ({ ...branch, wildcard: wildcardOf(named(branch)) })),
    any: branches.find((branch) => named(branch) === ''),
  };
}

function branchFor(choices: Choices | undefined, value: string): Branch | undefined {
  if (choices === undefined) return undefined;
  return (
    choices.exact.get(value) ??
    choices.wildcards.find(({ wildcard }) => matchesWildcard(wildcard, value)) ??
    choices.any
  );
}

/** The value of an entry, unless the descriptor names it, or all values of its wildcard share one bucket. */
function countedValue({ entry, definition: { value, share_threshold } }: Step): string[] {
  const isNamed = value !== '' && !value.includes('*');
  return isNamed || share_threshold ? [] : [entry.value];
}

function metricOf(domain: string, limit: LimitDefinition, steps: readonly Step[]): string {
  const isPlain = !limit.detailed_metric && steps.every(({ definition }) => !definition.value_to_metric);
  if (isPlain) return limit.path;
  const parts = steps.map(({ entry, definition: { value, share_threshold, value_to_metric } }) => {
    const shown = (limit.detailed_metric || value_to_metric) && !share_threshold ? entry.value : value;
    return pathPart(entry.key, shown);
  });
  return [pathPart(domain), ...parts].join('.');
}
