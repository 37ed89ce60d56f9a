import type { Registry } from 'prom-client';
import type { ConcurrencyWatch } from '../queues/concurrency.ts';
import { durations } from './durations.ts';
import { valueMetrics } from './value-metrics.ts';

export interface ConcurrencyMetricsOptions {
  /** The prefix of NAME_waiting and NAME_seconds. */
  readonly name: string;
  /** The queued work, for the help texts: "passwords that are hashed". */
  readonly what: string;
}

/** Adds the queue length and the durations of work with limited concurrency. */
export function concurrencyMetrics(
  registry: Registry,
  { name, what }: ConcurrencyMetricsOptions,
): ConcurrencyWatch {
  const worked = durations(registry, {
    name: `${name}_seconds`,
    help: `Duration from the start of the work: ${what}`,
    labels: [],
  })({});
  return {
    worked,
    watchQueue: (count) => valueMetrics(registry).gauge(`${name}_waiting`, `Waiting: ${what}.`, count),
  };
}
