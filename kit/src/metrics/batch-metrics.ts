import { Gauge, Histogram, type Registry } from 'prom-client';
import type { BatchWatch } from '../queues/batch.ts';

/** Makes the watch of the batcher with a given name. */
export type BatchMetrics = (batch: string) => BatchWatch;

/** Records batch sizes, and the number of waiting items. */
export function batchMetrics(registry: Registry): BatchMetrics {
  const waiting = new Map<string, (() => number)[]>();
  const sizes = new Histogram({
    name: 'batch_size',
    help: 'Calls per batch, by batch',
    labelNames: ['batch'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [registry],
  });
  new Gauge({
    name: 'batch_waiting',
    help: 'Calls waiting for the next batch, by batch',
    labelNames: ['batch'],
    registers: [registry],
    collect() {
      for (const [batch, counts] of waiting)
        this.set(
          { batch },
          counts.reduce((sum, count) => sum + count(), 0),
        );
    },
  });
  return (batch) => {
    const size = sizes.labels({ batch });
    return {
      batchSent: (items) => size.observe(items),
      watchQueue: (count) => waiting.set(batch, [...(waiting.get(batch) ?? []), count]),
    };
  };
}
