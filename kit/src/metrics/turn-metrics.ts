import type { Registry } from 'prom-client';
import type { TurnWatch } from '../queues/concurrency.ts';
import { durations } from './durations.ts';
import { valueMetrics } from './value-metrics.ts';

export interface TurnMetricsOptions {
  /** NAME_waiting and NAME_seconds are made of it. */
  readonly name: string;
  /** What waits, and takes time: "passwords that are hashed". */
  readonly what: string;
}

/** Work that is done a few at a time: how much waits, and how long each takes once it has begun. */
export function turnMetrics(registry: Registry, { name, what }: TurnMetricsOptions): TurnWatch {
  const worked = durations(registry, {
    name: `${name}_seconds`,
    help: `How long it takes once its turn has come: ${what}`,
    labels: [],
  })({});
  return {
    worked,
    waits: (count) => valueMetrics(registry).gauge(`${name}_waiting`, `How many wait: ${what}.`, count),
  };
}
