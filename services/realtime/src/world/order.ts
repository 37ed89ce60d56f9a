/** Compares snowflakes without parsing them. */
export function byId(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The order in which REST lists roles and channels. */
export function byPosition(one: Positioned, other: Positioned): number {
  return one.position - other.position || byId(one.id, other.id);
}

interface Positioned {
  readonly id: string;
  readonly position: number;
}
