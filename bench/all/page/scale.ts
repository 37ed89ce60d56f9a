/** Positions of values on an axis with equal distances for equal ratios. */
export interface LogScale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

const STEPS = [1, 2, 5] as const;

/** A scale from `from` to `to`, with a tick at 1, 2 and 5 of each power of ten, that holds all values. */
export function logScale(values: readonly number[], from: number, to: number): LogScale {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const powers = Array.from(
    { length: Math.ceil(Math.log10(most)) - Math.floor(Math.log10(least)) + 2 },
    (_, n) => Math.floor(Math.log10(least)) + n - 1,
  );
  const steps = powers.flatMap((power) => STEPS.map((step) => Number((step * 10 ** power).toPrecision(1))));
  const low = steps.findLast((step) => step <= least) ?? least;
  const high = steps.find((step) => step >= most && step > low) ?? most;
  const width = Math.log(high / low);
  return {
    ticks: steps.filter((step) => step >= low && step <= high),
    at: (value) => from + ((to - from) * Math.log(value / low)) / width,
  };
}
