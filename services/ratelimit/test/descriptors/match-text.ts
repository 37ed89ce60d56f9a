import type { DomainDefinition } from '../../src/descriptors/file/definitions.ts';
import { descriptorTree, type Entry, type Match } from '../../src/descriptors/match/descriptor-tree.ts';
import { withoutReplaced } from '../../src/descriptors/match/without-replaced.ts';

/** The entries of `key=value,key=value`. */
export function entriesOf(descriptor: string): Entry[] {
  return descriptor.split(',').map((entry) => {
    const [key = '', ...value] = entry.split('=');
    return { key, value: value.join('=') };
  });
}

/** What a match says: its limit's path, the values that it counts by, and its metric where that differs. */
export function matchText(match: Match | undefined): string {
  if (match === undefined) return 'no limit';
  const { limit, values, metric } = match;
  const by = values.length === 0 ? '' : ` by ${values.join(', ')}`;
  return `${limit.path}${by}${metric === limit.path ? '' : ` as ${metric}`}`;
}

/** What the descriptors of one request match. */
export function requestTexts(domain: DomainDefinition, descriptors: readonly string[]): string[] {
  const tree = descriptorTree(domain);
  return withoutReplaced(descriptors.map((descriptor) => tree.match(entriesOf(descriptor)))).map(matchText);
}
