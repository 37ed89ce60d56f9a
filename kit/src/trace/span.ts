/** A span of one process. Its attributes contain nothing of a request but the request ID. */
export interface Span {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** The traceparent for other processes, so that their spans become children of this one (W3C Trace Context). */
  readonly traceparent: string;
  /** Whether children may be begun: false once the process has answered, so that background work makes none. */
  isOpen(): boolean;
  child(name: string, kind: SpanKind, attributes?: Attributes): Span;
  set(name: string, value: string | number): void;
  /** Links another span, of this trace or another. */
  link(other: Span): void;
  /**
   * Marks the span as failed.
   *
   * @param type from a closed set: never an error's message, which may contain anything
   */
  fail(type: string): void;
  end(): void;
}

/** The role of this process: it was called (server), calls another process (client), or neither. */
export type SpanKind = 'server' | 'client' | 'internal';

export type Attributes = Readonly<Record<string, string | number>>;
