/**
 * The names that an object of JSON text has more than once, of which JSON.parse keeps the last alone. The
 * text must be JSON; names inside its members do not count.
 */
export function repeatedNames(text: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let depth = 0;
  // A string, with what makes it a name where it is one; or a bracket.
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
