/** The named members of a payload; undefined unless all are strings. */
export function stringsOf<Name extends string>(
  payload: unknown,
  ...names: readonly Name[]
): Record<Name, string> | undefined {
  const strings: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = memberOf(payload, name);
    if (typeof value !== 'string') return undefined;
    strings[name] = value;
  }
  return strings as Record<Name, string>; // each of the names was set
}

export function memberOf(payload: unknown, name: string): unknown {
  if (!isObject(payload) || !Object.hasOwn(payload, name)) return undefined;
  return payload[name];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
