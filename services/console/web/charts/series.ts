/** Values over time; null where nothing is known. */
export type Series = readonly (number | null)[];

/** A named series of a plot. */
export interface NamedSeries {
  readonly name: string;
  readonly values: Series;
}

/** The series with the largest sums, the largest first. Series without a value above 0 are left out. */
export function topSeries(all: Readonly<Record<string, Series>>, most: number): readonly NamedSeries[] {
  return Object.entries(all)
    .map(([name, values]) => ({ name, values, sum: sumOf(values) }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name, values }) => ({ name, values }));
}

function sumOf(values: Series): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** The value of the newest step; null if it is unknown. */
export function lastOf(values: Series): number | null {
  return values.at(-1) ?? null;
}

/** The sum of the last values of all series. */
export function lastSum(all: Readonly<Record<string, Series>>): number {
  return Object.values(all).reduce((sum, values) => sum + (values.at(-1) ?? 0), 0);
}

/** The largest last value of all series; null if there is none. */
export function lastMaximum(all: readonly Series[]): number | null {
  const known = all.map((values) => values.at(-1) ?? null).filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** The indices of values without a neighbour: no line shows them. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  return Array.from(values).flatMap((value, index, all) =>
    value != null && all[index - 1] == null && all[index + 1] == null ? [index] : [],
  );
}
