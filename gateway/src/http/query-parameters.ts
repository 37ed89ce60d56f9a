/**
 * Reads the parameters with these names from a query. The first of a repeated parameter counts, and a plus sign is a
 * space, as in forms. Text that cannot be decoded stays unchanged.
 */
export function queryParameters(query: string, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (let from = 0; from < query.length; ) {
    const end = query.indexOf('&', from);
    const to = end < 0 ? query.length : end;
    const equals = query.indexOf('=', from);
    const nameEnds = equals < 0 || equals > to ? to : equals;
    const name = decoded(query.slice(from, nameEnds));
    if (names.includes(name) && found[name] === undefined)
      found[name] = decoded(query.slice(Math.min(nameEnds + 1, to), to));
    from = to + 1;
  }
  return found;
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
