import { type Counter, createNoopMeter, type Meter, type MeterProvider } from '@opentelemetry/api';

/** Counts the spans that a BatchSpanProcessor drops for lack of room, which it reports only to a meter. */
export function droppedSpans(): { readonly meters: MeterProvider; count(): number } {
  let dropped = 0;
  /** Its counter otel.sdk.processor.span.processed: the fate of spans, by error. */
  const processed: Counter = {
    add: (spans, attributes) => {
      if (attributes?.['error.type'] === 'queue_full') dropped += spans;
    },
  };
  const meter: Meter = Object.assign(Object.create(createNoopMeter()), { createCounter: () => processed });
  return { meters: { getMeter: () => meter }, count: () => dropped };
}
