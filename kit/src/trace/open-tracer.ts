import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { throttledLog } from '../throttled-log.ts';
import { withTimeout } from '../with-timeout.ts';
import { beginSpan, parentContextOf } from './begin-span.ts';
import { droppedSpans } from './dropped-spans.ts';
import { retryingExporter } from './retrying-exporter.ts';
import type { Tracer, TracerCounts, TracerOptions } from './tracer.ts';

const SCOPE = 'gatehouse';
/** Maximum queued spans, a kilobyte or so each, including those being sent. Further ones are lost. */
const MAX_QUEUED_SPANS = 4_096;
const MAX_EXPORT_SPANS = 512;
const EXPORT_EVERY_MS = 1_000;
/** Timeout for a slow receiver; other batches wait meanwhile. */
const EXPORT_TIMEOUT_MS = 5_000;
/** The maximum of a timer: the exporter itself decides how long a batch waits for its receiver. */
const NEVER_MS = 2 ** 31 - 1;
const FAILURE_LOG_EVERY_MS = 60_000;
/** A process has ten seconds for its whole shutdown. */
const TRACER_CLOSE_TIMEOUT_MS = 1_000;
/** Maximum links of a span: a batch may have as many callers. */
const MAX_LINKS = 64;
/** Maximum length of an attribute's text, in UTF-16 units. */
const MAX_ATTRIBUTE_CHARACTERS = 256;

/**
 * Makes spans and sends them with OpenTelemetry's SDK (docs/decisions/traces.md). Sampling is the caller's job: every
 * span that is begun is recorded. Nothing is registered globally, so that a process can have several tracers.
 */
export function openTracer({ endpoint, headers, resource, service, log }: TracerOptions): Tracer {
  let ended = 0;
  const drops = droppedSpans();
  const counts = (): TracerCounts => {
    const { sent, refused } = exporter.counts();
    return { ended, sent, lost: refused + drops.count() };
  };
  const logFailure = throttledLog((_, reason: unknown) => {
    const { ended, sent, lost } = counts();
    log.warn({ reason, lost, waiting: ended - sent - lost }, 'spans could not be sent');
  }, FAILURE_LOG_EVERY_MS);
  const otlp = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    httpAgentOptions: { keepAlive: true, maxSockets: 1 }, // a new agent, which ignores proxy settings
  });
  const exporter = retryingExporter(otlp, logFailure);
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_QUEUED_SPANS - MAX_EXPORT_SPANS,
    maxExportBatchSize: MAX_EXPORT_SPANS,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: NEVER_MS,
    selfObsMeterProvider: drops.meters,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...resource, 'service.name': service }),
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS, linkCountLimit: MAX_LINKS },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer(SCOPE);
  const onEnd = (): void => {
    ended++;
  };
  return {
    begin: (name, attributes, parent) => {
      const local = { tracer, onEnd, open: true, spans: 0 };
      return beginSpan(local, parentContextOf(parent), { name, kind: 'server', attributes }, true);
    },
    counts,
    close: async () => {
      exporter.giveUp();
      await withTimeout(TRACER_CLOSE_TIMEOUT_MS, provider.shutdown());
    },
  };
}
