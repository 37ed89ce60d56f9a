import protobuf from 'protobufjs';

/** A received span. IDs are hex; times are in nanoseconds since the Unix epoch. */
export interface ReceivedSpan {
  readonly service: string;
  readonly trace_id: string;
  readonly span_id: string;
  /** Empty if there is none. */
  readonly parent_span_id: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'other';
  readonly start_ns: bigint;
  readonly end_ns: bigint;
  readonly attributes: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  /** Trace ID and span ID of each link. */
  readonly links: readonly string[];
  readonly failed: boolean;
}

/** The parts of opentelemetry-proto 1.x that are needed: trace/v1/trace.proto and its imports. */
const PROTO = `
  syntax = "proto3";
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    uint32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    repeated Link links = 13;
    Status status = 15;
  }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; uint32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
`;
const REQUEST = protobuf.parse(PROTO, { keepCase: true }).root.lookupType('ExportTraceServiceRequest');
const KINDS = ['other', 'internal', 'server', 'client'] as const;
const FAILED = 2;

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface SpanMessage {
  readonly trace_id: Uint8Array;
  readonly span_id: Uint8Array;
  readonly parent_span_id: Uint8Array;
  readonly name: string;
  readonly kind: number;
  readonly start_time_unix_nano: string;
  readonly end_time_unix_nano: string;
  readonly attributes: readonly KeyValue[];
  readonly links: readonly Pick<SpanMessage, 'trace_id' | 'span_id'>[];
  readonly status?: { readonly code: number };
}

interface RequestMessage {
  readonly resource_spans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scope_spans: readonly { readonly spans: readonly SpanMessage[] }[];
  }[];
}

/** Decodes an OTLP export request in protobuf. */
export function readSpans(body: Uint8Array): ReceivedSpan[] {
  const options = { longs: String, defaults: true, arrays: true };
  const { resource_spans } = REQUEST.toObject(REQUEST.decode(body), options) as RequestMessage; // as PROTO has it
  return resource_spans.flatMap(({ resource: { attributes }, scope_spans }) => {
    const resource = valuesOf(attributes);
    return scope_spans.flatMap(({ spans }) => spans.map((span) => spanOf(span, resource)));
  });
}

function spanOf(span: SpanMessage, resource: Record<string, string>): ReceivedSpan {
  return {
    service: resource['service.name'] ?? '',
    trace_id: hex(span.trace_id),
    span_id: hex(span.span_id),
    parent_span_id: hex(span.parent_span_id),
    name: span.name,
    kind: KINDS[span.kind] ?? 'other',
    start_ns: BigInt(span.start_time_unix_nano),
    end_ns: BigInt(span.end_time_unix_nano),
    attributes: valuesOf(span.attributes),
    resource,
    links: span.links.map(({ trace_id, span_id }) => `${hex(trace_id)} ${hex(span_id)}`),
    failed: span.status?.code === FAILED,
  };
}

function valuesOf(attributes: readonly KeyValue[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
