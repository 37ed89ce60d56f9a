/** Readers of untrusted JSON. */

/** Undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member at a path; undefined if there is none. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

/** The non-empty text at a path. */
export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = memberOf(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The list at a path; empty if there is none. */
export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = memberOf(value, ...path);
  return Array.isArray(found) ? found : [];
}
