import { type Context, type Tracer as OtelTracer, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { within } from '../within.ts';
import { countedExporter } from './counted-exporter.ts';
import { type Part, spanOf } from './otlp-span.ts';
import type { Span } from './span.ts';
import { spanTime_ms } from './span-clock.ts';
import type { Parent } from './traceparent.ts';
import type { Tracer, TracerOptions } from './tracer.ts';

/** Spans that wait to be sent, a kilobyte or so each. What comes beyond is dropped. */
const MAX_WAITING = 4_096;
const MAX_A_REQUEST = 512;
const SEND_EVERY_MS = 1_000;
/** Of a receiver that is slow; meanwhile others wait, and in the end are dropped. */
const SEND_WITHIN_MS = 5_000;
/** A process that ends has ten seconds for everything. */
const CLOSE_WITHIN_MS = 1_000;

/** Who asks it decides what is sampled: it makes a span of everything. */
export function otlpTracer({ service, log, endpoint, headers, resource }: TracerOptions): Tracer {
  let ended = 0;
  const counted = countedExporter(
    new OTLPTraceExporter({
      url: `${endpoint}/v1/traces`,
      headers: { ...headers },
      timeoutMillis: SEND_WITHIN_MS,
    }),
    log,
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource, 'service.name': service }),
    sampler: new AlwaysOnSampler(),
    spanLimits: { linkCountLimit: 64, attributeValueLengthLimit: 256 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: counted.exporter,
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_A_REQUEST,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('gatehouse');
  const onEnd = (): void => {
    ended++;
  };

  return {
    begin: (name, attributes, parent) =>
      begin(tracer, { onEnd, open: true, spans: 0 }, name, attributes, parent),
    counts: () => ({ ended, ...counted.counts() }),
    close: async () => {
      await within(CLOSE_WITHIN_MS, provider.shutdown());
    },
  };
}

function begin(
  tracer: OtelTracer,
  part: Part,
  name: string,
  attributes: Record<string, string | number>,
  parent: Parent | undefined,
): Span {
  const options = { kind: SpanKind.SERVER, attributes, startTime: spanTime_ms() };
  return spanOf(tracer, tracer.startSpan(name, options, contextOf(parent)), part, true);
}

function contextOf(parent: Parent | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: 1, isRemote: true });
}
