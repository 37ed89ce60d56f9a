import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Attributes, SpanKind as Kind, Span } from './span.ts';
import { spanTime_ms } from './span-clock.ts';
import { type Parent, writeTraceparent } from './traceparent.ts';

/**
 * Maximum spans of one request in one process. Of a request with thousands of operations, the first ones are
 * recorded.
 */
const MAX_SPANS = 1_000;

/** The spans of one request in one process. */
export interface RequestPart {
  readonly tracer: Tracer;
  readonly onEnd: () => void;
  open: boolean;
  spans: number;
}

interface Beginning {
  readonly name: string;
  readonly kind: Kind;
  readonly attributes: Attributes;
}

const KINDS: Readonly<Record<Kind, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

/** The parent of the first span; undefined: it begins a trace. */
export function contextOf(parent: Parent | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}

/**
 * Begins a span of the SDK. A part has a limited number of spans, and none after it has ended.
 *
 * @param isPart whether the part ends with this span
 */
export function beginSpan(
  part: RequestPart,
  above: Context,
  { name, kind, attributes }: Beginning,
  isPart: boolean,
): Span {
  const options = { kind: KINDS[kind], attributes, startTime: spanTime_ms() };
  const span = part.tracer.startSpan(name, options, above);
  const { traceId, spanId } = span.spanContext();
  const below = trace.setSpan(ROOT_CONTEXT, span);
  return {
    traceId,
    spanId,
    traceparent: writeTraceparent(traceId, spanId),
    isOpen: () => part.open && part.spans < MAX_SPANS,
    child: (name, kind, attributes = {}) => {
      part.spans++;
      return beginSpan(part, below, { name, kind, attributes }, false);
    },
    set: (name, value) => {
      span.setAttribute(name, value);
    },
    link: ({ traceId, spanId }) => {
      span.addLink({ context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED } });
    },
    fail: (type) => {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => {
      if (!span.isRecording()) return;
      if (isPart) part.open = false;
      part.onEnd();
      span.end(spanTime_ms());
    },
  };
}
