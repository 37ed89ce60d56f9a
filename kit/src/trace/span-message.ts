import { BinaryWriter } from '@bufbuild/protobuf/wire';
import type { Attributes, Span, SpanKind } from './span.ts';

/** A span as it is sent. */
export interface EndedSpan {
  readonly trace_id: string;
  readonly span_id: string;
  /** Empty: there is none. */
  readonly parent_span_id: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** Since 1970, with fractions. */
  readonly start_ms: number;
  readonly end_ms: number;
  readonly attributes: Attributes;
  readonly links: readonly Pick<Span, 'traceId' | 'spanId'>[];
  readonly failed: boolean;
}

/** Of an attribute's text, in UTF-16 units. */
const MAX_TEXT = 256;
const SCOPE = 'gatehouse';
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const STATUS_ERROR = 2;

/** Fields of opentelemetry-proto 1.x: trace/v1/trace.proto and what it imports. */
const REQUEST = { resource_spans: 1 } as const;
const RESOURCE_SPANS = { resource: 1, scope_spans: 2 } as const;
const RESOURCE = { attributes: 1 } as const;
const SCOPE_SPANS = { scope: 1, spans: 2 } as const;
const INSTRUMENTATION_SCOPE = { name: 1 } as const;
const SPAN = {
  trace_id: 1,
  span_id: 2,
  parent_span_id: 4,
  name: 5,
  kind: 6,
  start_time_unix_nano: 7,
  end_time_unix_nano: 8,
  attributes: 9,
  links: 13,
  status: 15,
} as const;
const LINK = { trace_id: 1, span_id: 2 } as const;
const STATUS = { code: 3 } as const;
const KEY_VALUE = { key: 1, value: 2 } as const;
const ANY_VALUE = { string: 1, int: 3, double: 4 } as const;

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

/**
 * Encodes spans as ExportTraceServiceRequest of OTLP (docs/decisions/traces.md has why this is not left to a library).
 *
 * @param resource what the spans come from
 */
export function exportRequest(resource: Attributes, spans: readonly EndedSpan[]): Uint8Array {
  const writer = new BinaryWriter();
  begin(writer, REQUEST.resource_spans);
  begin(writer, RESOURCE_SPANS.resource);
  writeAttributes(writer, RESOURCE.attributes, resource);
  writer.join();
  begin(writer, RESOURCE_SPANS.scope_spans);
  begin(writer, SCOPE_SPANS.scope);
  writer.tag(INSTRUMENTATION_SCOPE.name, BYTES).string(SCOPE);
  writer.join();
  for (const span of spans) writeSpan(writer, span);
  writer.join();
  writer.join();
  return writer.finish();
}

function writeSpan(writer: BinaryWriter, span: EndedSpan): void {
  begin(writer, SCOPE_SPANS.spans);
  writer.tag(SPAN.trace_id, BYTES).bytes(idBytes(span.trace_id));
  writer.tag(SPAN.span_id, BYTES).bytes(idBytes(span.span_id));
  if (span.parent_span_id !== '') writer.tag(SPAN.parent_span_id, BYTES).bytes(idBytes(span.parent_span_id));
  writer.tag(SPAN.name, BYTES).string(span.name);
  writer.tag(SPAN.kind, VARINT).int32(KINDS[span.kind]);
  writer.tag(SPAN.start_time_unix_nano, FIXED64).fixed64(nanoseconds(span.start_ms));
  writer.tag(SPAN.end_time_unix_nano, FIXED64).fixed64(nanoseconds(span.end_ms));
  writeAttributes(writer, SPAN.attributes, span.attributes);
  for (const { traceId, spanId } of span.links) {
    begin(writer, SPAN.links);
    writer.tag(LINK.trace_id, BYTES).bytes(idBytes(traceId));
    writer.tag(LINK.span_id, BYTES).bytes(idBytes(spanId));
    writer.join();
  }
  if (span.failed) {
    begin(writer, SPAN.status);
    writer.tag(STATUS.code, VARINT).int32(STATUS_ERROR);
    writer.join();
  }
  writer.join();
}

function writeAttributes(writer: BinaryWriter, field: number, attributes: Attributes): void {
  for (const name in attributes) {
    begin(writer, field);
    writer.tag(KEY_VALUE.key, BYTES).string(name);
    begin(writer, KEY_VALUE.value);
    writeValue(writer, attributes[name] ?? '');
    writer.join();
    writer.join();
  }
}

function writeValue(writer: BinaryWriter, value: string | number): void {
  if (typeof value === 'string') writer.tag(ANY_VALUE.string, BYTES).string(value.slice(0, MAX_TEXT));
  else if (Number.isSafeInteger(value)) writer.tag(ANY_VALUE.int, VARINT).int64(value);
  else writer.tag(ANY_VALUE.double, FIXED64).double(value);
}

/** A message within a message; `join` ends it. */
function begin(writer: BinaryWriter, field: number): void {
  writer.tag(field, BYTES).fork();
}

function idBytes(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}

/** To the microsecond, which is what the clock has. */
function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1_000)) * 1_000n;
}
