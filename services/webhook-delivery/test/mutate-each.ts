/** A value of each JSON type that a member can be given. Null is one of them. */
const VALUES: readonly unknown[] = [null, true, 7, 'text', [], {}];

/**
 * Changes every member of a JSON value, at every depth, one at a time, and calls `look` while it is changed: once
 * deleted, and once with a value of each type that is not its own. The order of members may be another afterwards.
 */
export function mutateEach(
  value: unknown,
  look: (path: readonly string[], change: unknown) => void,
  path: string[] = [],
): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  for (const name of Object.keys(holder)) {
    const member = holder[name];
    path.push(name);
    for (const other of VALUES) {
      if (typeOf(other) === typeOf(member)) continue;
      holder[name] = other;
      look(path, other);
    }
    // An array keeps its place: what is deleted there is a hole, which reads as undefined.
    delete holder[name];
    look(path, undefined);
    holder[name] = member;
    mutateEach(member, look, path);
    path.pop();
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
