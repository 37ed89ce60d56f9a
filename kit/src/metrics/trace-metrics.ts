import type { Registry } from 'prom-client';
import type { Tracer } from '../trace/tracer.ts';
import { valueMetrics } from './value-metrics.ts';

/** How many spans were made and sent. Those that are neither sent nor lost wait. */
export function traceMetrics(registry: Registry, { counts }: Pick<Tracer, 'counts'>): void {
  const { counter } = valueMetrics(registry);
  counter('trace_spans_total', 'Spans that have ended.', () => counts().ended);
  counter('trace_spans_sent_total', 'Spans that the receiver has taken.', () => counts().sent);
  counter(
    'trace_spans_lost_total',
    'Spans that the receiver refused, or that found no room.',
    () => counts().lost,
  );
}
