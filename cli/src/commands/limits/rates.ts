import type { GetStatisticsResponse } from '@gatehouse/proto/ratelimit';

export interface Sample {
  readonly at_ms: number;
  readonly statistics: GetStatisticsResponse;
}

/** Whole numbers a second. */
export interface Rates {
  readonly checks: number;
  /** Charges and denials, by bucket. */
  readonly buckets: ReadonlyMap<string, number>;
}

/** The rates between two samples. If the process restarted in between, its counters started at zero. */
export function ratesBetween(earlier: Sample, later: Sample): Rates {
  const seconds = Math.max(later.at_ms - earlier.at_ms, 1) / 1000;
  const restarted = later.statistics.checks < earlier.statistics.checks;
  const before = restarted ? new Map<string, number>() : totals(earlier.statistics);
  const rate = (now: number, then: number) => Math.round(Math.max(now - then, 0) / seconds);
  return {
    checks: rate(later.statistics.checks, restarted ? 0 : earlier.statistics.checks),
    buckets: new Map(
      [...totals(later.statistics)].map(([bucket, now]) => [bucket, rate(now, before.get(bucket) ?? 0)]),
    ),
  };
}

function totals({ buckets }: GetStatisticsResponse): Map<string, number> {
  return new Map(buckets.map(({ bucket, admitted, denied }) => [bucket, admitted + denied]));
}
