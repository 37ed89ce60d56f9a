/** Members of what a Gateway sent: it may send anything. */

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of an object, of an object in it, and so on; undefined where there is none. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** The same, if it is text that is not empty. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = memberOf(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The same, if it is a list; else an empty one. */
export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = memberOf(value, ...path);
  return Array.isArray(found) ? found : [];
}
