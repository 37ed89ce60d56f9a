/** SQL: whether a row is younger than its lifetime, by the database's clock; without a lifetime every row is. */
export function isYoung(lifetime: number | undefined, unit: 'seconds' | 'days'): string {
  return lifetime === undefined ? 'true' : `(created_at > now() - interval '${lifetime} ${unit}')`;
}
