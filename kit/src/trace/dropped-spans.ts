import { type Counter, createNoopMeter, type Meter, type MeterProvider } from '@opentelemetry/api';

/** Counts the spans that found no room in a BatchSpanProcessor, which says so to a meter only. */
export function droppedSpans(): { readonly meters: MeterProvider; count(): number } {
  let dropped = 0;
  /** Its otel.sdk.processor.span.processed: what became of spans, by error. */
  const processed: Counter = {
    add: (spans, attributes) => {
      if (attributes?.['error.type'] === 'queue_full') dropped += spans;
    },
  };
  const meter: Meter = Object.assign(Object.create(createNoopMeter()), { createCounter: () => processed });
  return { meters: { getMeter: () => meter }, count: () => dropped };
}
