import type { Metric, Registry } from 'prom-client';

/** Records a duration in milliseconds. */
export type Observe = (ms: number) => void;

export interface DurationsOptions<L extends string> {
  /** Ends with `_seconds`. */
  readonly name: string;
  readonly help: string;
  /** Their values are from closed sets, never from a request. */
  readonly labels: readonly L[];
  /** Upper bounds of the buckets, if the default list is too fine or too coarse. */
  readonly buckets_seconds?: readonly number[];
}

const DEFAULT_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The observations with the same labels. */
interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** Number of observations per bucket; the last one is unbounded. */
  readonly counts: number[];
  sum_seconds: number;
}

/**
 * A histogram of durations. Returns a function that finds the recorder for a set of labels; callers on a hot path
 * keep the recorder. prom-client's own histogram looks its labels up with each observation, which takes a microsecond
 * or two.
 */
export function durations<L extends string>(
  registry: Registry,
  { name, help, labels: labelNames, buckets_seconds: bounds = DEFAULT_BUCKETS_SECONDS }: DurationsOptions<L>,
): (values: Readonly<Record<L, string>>) => Observe {
  const all = new Map<string, Series>();
  const metric = {
    name,
    help,
    type: 'histogram',
    get: () => ({
      name,
      help,
      type: 'histogram',
      values: [...all.values()].flatMap((one) => valuesOf(name, bounds, one)),
    }),
    reset: () => all.clear(),
  };
  registry.registerMetric(metric as unknown as Metric); // the parts of a metric that a registry uses

  return (labels) => {
    const key = JSON.stringify(labelNames.map((label) => labels[label]));
    const series = all.get(key) ?? { labels, counts: [...bounds, 0].map(() => 0), sum_seconds: 0 };
    all.set(key, series);
    return (ms) => {
      const seconds = ms / 1000;
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++;
      series.counts[bucket] = (series.counts[bucket] as number) + 1;
      series.sum_seconds += seconds;
    };
  };
}

/** Prometheus's buckets are cumulative. */
function valuesOf(name: string, bounds: readonly number[], { labels, counts, sum_seconds }: Series) {
  let total = 0;
  const buckets = counts.map((count, bucket) => {
    total += count;
    return {
      metricName: `${name}_bucket`,
      labels: { le: bounds[bucket] ?? '+Inf', ...labels },
      value: total,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum_seconds },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
