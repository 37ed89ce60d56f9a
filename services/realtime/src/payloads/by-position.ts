/** Roles or channels in the order in which clients are given them: by position, then by ID. */
export function byPosition<T extends Placed>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => a.position - b.position || compareIds(a.id, b.id));
}

interface Placed {
  readonly id: string;
  readonly position: number;
}

/** IDs are numbers without leading zeros. */
function compareIds(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}
