import { isObject } from '../json-types.ts';

/** The named fields of a payload; undefined unless all are strings. */
export function stringsOf<Name extends string>(
  payload: unknown,
  ...names: readonly Name[]
): Record<Name, string> | undefined {
  const strings: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = fieldOf(payload, name);
    if (typeof value !== 'string') return undefined;
    strings[name] = value;
  }
  return strings as Record<Name, string>; // each of the names was set
}

export function fieldOf(payload: unknown, name: string): unknown {
  if (!isObject(payload) || !Object.hasOwn(payload, name)) return undefined;
  return payload[name];
}
