/** Observations per bucket of a histogram. They are cumulative: each bucket has those of the lower ones too. */
export type Buckets = ReadonlyMap<number, number>;

/**
 * The value below which the share of the observations is, as Prometheus's histogram_quantile computes it: linear within
 * a bucket, and the largest finite bound beyond it.
 *
 * @param share 0 to 1
 * @returns undefined without observations
 */
export function quantile(share: number, buckets: Buckets): number | undefined {
  const sorted = [...buckets].toSorted(([one], [other]) => one - other);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (!(total > 0)) return undefined;
  const rank = share * total;
  let [lowerBound, lowerCount] = [0, 0];
  for (const [bound, count] of sorted) {
    if (count >= rank && count > lowerCount) {
      if (bound === Number.POSITIVE_INFINITY) return lowerBound;
      return lowerBound + ((bound - lowerBound) * (rank - lowerCount)) / (count - lowerCount);
    }
    if (bound !== Number.POSITIVE_INFINITY) lowerBound = bound;
    lowerCount = count;
  }
  return lowerBound;
}
