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
 * Maximum spans of one request in one process. Further operations of the request are not recorded.
 */
const MAX_SPANS_PER_REQUEST = 1_000;

/** The spans of one request in one process. */
export interface LocalTrace {
  readonly tracer: Tracer;
  readonly onEnd: () => void;
  open: boolean;
  spans: number;
}

interface SpanStart {
  readonly name: string;
  readonly kind: Kind;
  readonly attributes: Attributes;
}

const KINDS: Readonly<Record<Kind, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

/** The context of a request's first span in this process. Without a parent, the span begins a trace. */
export function parentContextOf(parent: Parent | undefined): Context {
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
 * Begins a span of the SDK.
 *
 * @param isRoot whether this is the request's first span in this process: no span begins after its end
 */
export function beginSpan(
  local: LocalTrace,
  parentContext: Context,
  { name, kind, attributes }: SpanStart,
  isRoot: boolean,
): Span {
  const options = { kind: KINDS[kind], attributes, startTime: spanTime_ms() };
  const span = local.tracer.startSpan(name, options, parentContext);
  const { traceId, spanId } = span.spanContext();
  const ownContext = trace.setSpan(ROOT_CONTEXT, span);
  return {
    traceId,
    spanId,
    traceparent: writeTraceparent(traceId, spanId),
    isOpen: () => local.open && local.spans < MAX_SPANS_PER_REQUEST,
    child: (name, kind, attributes = {}) => {
      local.spans++;
      return beginSpan(local, ownContext, { name, kind, attributes }, false);
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
      if (isRoot) local.open = false;
      local.onEnd();
      span.end(spanTime_ms());
    },
  };
}
