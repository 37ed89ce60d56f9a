import { Gauge, type Registry } from 'prom-client';
import { type CountOutboxes, MAX_COUNT } from '../db/outbox-counts.ts';

/**
 * Adds the number of undelivered outbox rows, by table. A scrape counts them; if that fails, the metric has no value.
 */
export function outboxMetrics(registry: Registry, count: CountOutboxes): void {
  new Gauge({
    name: 'outbox_waiting',
    help: `Undelivered rows of the outboxes to services and mail servers, ${MAX_COUNT} at most, by table`,
    labelNames: ['outbox'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = (await count()) ?? new Map();
      for (const [outbox, { waiting }] of counts) this.set({ outbox }, waiting);
    },
  });
}
