import { Histogram, type Registry } from 'prom-client';

/** Counts one that took so many milliseconds. */
export type Observe = (ms: number) => void;

export interface DurationsOptions<L extends string> {
  /** Ends in `_seconds`. */
  readonly name: string;
  readonly help: string;
  /** Of closed sets: nothing of a request is among them. */
  readonly labels: readonly L[];
  /** Upper bounds, where a finer or a shorter list fits better. */
  readonly buckets_seconds?: readonly number[];
}

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * A histogram of durations. Gives the function that finds what counts those with these labels; whoever counts often
 * keeps what it found.
 */
export function durations<L extends string>(
  registry: Registry,
  { name, help, labels, buckets_seconds = BUCKETS_SECONDS }: DurationsOptions<L>,
): (values: Readonly<Record<L, string>>) => Observe {
  const histogram = new Histogram({
    name,
    help,
    labelNames: [...labels],
    buckets: [...buckets_seconds],
    registers: [registry],
  });
  return (values) => {
    const child = histogram.labels({ ...values });
    return (ms) => child.observe(ms / 1000);
  };
}
