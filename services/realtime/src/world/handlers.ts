/** A map, because an event's type may be any text, such as `constructor`. */
export function handlers<T>(table: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(table));
}
