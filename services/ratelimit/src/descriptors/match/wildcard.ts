/** A value with `*`, each of which stands for any text, also for none. */
export interface Wildcard {
  readonly first: string;
  /** In the order in which they must occur. */
  readonly middle: readonly string[];
  readonly last: string;
}

/** @param value with at least one `*` */
export function wildcardOf(value: string): Wildcard {
  const parts = value.split('*');
  return { first: parts[0] ?? '', middle: parts.slice(1, -1), last: parts.at(-1) ?? '' };
}

export function matchesWildcard({ first, middle, last }: Wildcard, value: string): boolean {
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last))
    return false;
  const end = value.length - last.length;
  let from = first.length;
  for (const part of middle) {
    const at = value.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
