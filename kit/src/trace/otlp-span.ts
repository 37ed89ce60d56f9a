import {
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Span } from './span.ts';
import { spanTime_ms } from './span-clock.ts';
import { writeTraceparent } from './traceparent.ts';

/** What a process does for one request. */
export interface Part {
  readonly onEnd: () => void;
  open: boolean;
  spans: number;
}

/** Of one request in one process: a request that does thousands of things shows the first of them. */
const MAX_SPANS = 1_000;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
/** By which a span of ours is found again. */
const contexts = new WeakMap<Span, OtelSpan>();

/** @param isPart whether the part ends with it */
export function spanOf(tracer: OtelTracer, otel: OtelSpan, part: Part, isPart: boolean): Span {
  const { traceId, spanId } = otel.spanContext();
  let ended = false;
  const span: Span = {
    traceId,
    traceparent: writeTraceparent(traceId, spanId),
    isOpen: () => part.open && part.spans < MAX_SPANS,
    child: (name, kind, attributes = {}) => {
      part.spans++;
      const options = { kind: KINDS[kind], attributes, startTime: spanTime_ms() };
      const below = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, otel));
      return spanOf(tracer, below, part, false);
    },
    set: (name, value) => {
      otel.setAttribute(name, value);
    },
    link: (other) => {
      const context = contexts.get(other)?.spanContext();
      if (context !== undefined) otel.addLink({ context });
    },
    fail: (type) => {
      otel.setAttribute('error.type', type);
      otel.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => {
      if (ended) return;
      ended = true;
      if (isPart) part.open = false;
      part.onEnd();
      otel.end(spanTime_ms());
    },
  };
  contexts.set(span, otel);
  return span;
}
