import type { Match } from './descriptor-tree.ts';

/**
 * The matches of a request's descriptors without those that another one replaces by name. A replaced limit still replaces
 * others, and an unlimited one is never replaced.
 */
export function withoutReplaced(matches: readonly (Match | undefined)[]): (Match | undefined)[] {
  const replaced = new Set(matches.flatMap((match) => match?.limit.replaces ?? []));
  if (replaced.size === 0) return [...matches];
  return matches.map((match) => {
    const isReplaced =
      match?.limit.rate !== undefined && match.limit.name !== '' && replaced.has(match.limit.name);
    return isReplaced ? undefined : match;
  });
}
