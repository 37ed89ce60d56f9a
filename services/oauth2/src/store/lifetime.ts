/** SQL: whether a row is within its lifetime, by the database's clock. Without a lifetime, every row is. */
export function isWithinLifetime(lifetime: number | undefined, unit: 'seconds' | 'days'): string {
  return lifetime === undefined ? 'true' : `(created_at > now() - interval '${lifetime} ${unit}')`;
}
