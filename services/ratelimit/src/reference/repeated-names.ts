/**
 * The repeated names in an object of JSON text; JSON.parse keeps only the last of each. The text must be JSON; names
 * inside nested values do not count.
 */
export function repeatedNames(text: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let depth = 0;
  // A string, with a colon if it is a name; or a bracket.
  for (const [token, name, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (depth === 1 && name !== undefined && colon !== undefined) {
      const parsed = String(JSON.parse(name));
      if (seen.has(parsed)) repeated.add(parsed);
      seen.add(parsed);
    }
  }
  return [...repeated];
}
