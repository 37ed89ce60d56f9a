import { Gauge, Histogram, type Registry } from 'prom-client';
import type { BatchWatch } from '../queues/batch.ts';

/** Makes what a batcher with this name is watched by. */
export type BatchMetrics = (batch: string) => BatchWatch;

/** How many share a batch, and how many wait for their turn. */
export function batchMetrics(registry: Registry): BatchMetrics {
  const waiting = new Map<string, (() => number)[]>();
  const sizes = new Histogram({
    name: 'batch_size',
    help: 'How many calls shared a batch, by what it does',
    labelNames: ['batch'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [registry],
  });
  new Gauge({
    name: 'batch_waiting',
    help: 'Calls that wait for the next batch, by what it does',
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
      sent: (items) => size.observe(items),
      waits: (count) => waiting.set(batch, [...(waiting.get(batch) ?? []), count]),
    };
  };
}
