import type { Registry } from 'prom-client';
import type { Tracer } from '../trace/tracer.ts';
import { valueMetrics } from './value-metrics.ts';

/** Adds the number of ended, sent and lost spans. The other ended spans are still queued. */
export function traceMetrics(registry: Registry, { counts }: Pick<Tracer, 'counts'>): void {
  const { counter } = valueMetrics(registry);
  counter('trace_spans_total', 'Ended spans.', () => counts().ended);
  counter('trace_spans_sent_total', 'Spans that the receiver accepted.', () => counts().sent);
  counter(
    'trace_spans_lost_total',
    'Spans that the receiver refused, or that did not fit into the queue.',
    () => counts().lost,
  );
}
