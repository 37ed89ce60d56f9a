import { valueMetrics } from '@gatehouse/kit/metrics/value-metrics';
import { Counter, type Registry } from 'prom-client';
import type { Overload } from './overload.ts';

/** The use of each bound, and the refusals at it. */
export function overloadMetrics(
  registry: Registry,
  { clients, requests, bodies, refusals, heapShare }: Overload,
): void {
  const { gauge } = valueMetrics(registry);

  gauge('gateway_connections', 'Open connections of clients.', () => clients.count());
  gauge('gateway_requests_under_way', 'Requests that have started and are not answered.', () =>
    requests.count(),
  );
  gauge('gateway_short_body_bytes', 'Memory of bodies of up to 64 KiB that are not complete.', () =>
    bodies.short.reservedBytes(),
  );
  gauge('gateway_long_body_bytes', 'Memory of longer bodies.', () => bodies.long.reservedBytes());
  gauge('gateway_long_bodies_waiting', 'Long bodies that wait for memory.', () => bodies.long.waiting());
  gauge('gateway_head_bytes', 'Heads of unanswered requests, and bytes that are no request yet.', () =>
    clients.heldBytes(),
  );
  gauge('gateway_unsent_bytes', 'Bytes of answers that clients have not read.', () => clients.unsentBytes());
  gauge('gateway_heap_share', 'Used share of the heap that V8 may use.', heapShare);
  new Counter({
    name: 'gateway_refused_total',
    help: 'Refusals at a bound, by reason.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of refusals.counts) this.inc({ reason }, count);
    },
  });
}
