/** How often each name occurs. */
export function countByName(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Milliseconds as seconds, rounded to a tenth. */
export const toSeconds = (ms: number): number => Math.round(ms / 100) / 10;
