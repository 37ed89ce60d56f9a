/** By the event's type, which may be any text: not even `constructor` finds what is not in the table. */
export function handlers<T>(table: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(table));
}
