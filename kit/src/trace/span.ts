/** What one process did for one part of a request. Attributes hold no value of a request but its ID. */
export interface Span {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** What another process is sent, so that its spans come below this one (W3C Trace Context). */
  readonly traceparent: string;
  /**
   * Whether spans below it may be begun: not once the process has answered, so that what it goes on to do in the
   * background makes none.
   */
  isOpen(): boolean;
  child(name: string, kind: SpanKind, attributes?: Attributes): Span;
  set(name: string, value: string | number): void;
  /** Another span has to do with it, of this trace or another. */
  link(other: Span): void;
  /** It failed. @param type of a closed set: never an error's message, which may hold anything */
  fail(type: string): void;
  end(): void;
}

/** Who waits for whom: a server was asked, a client asks another process. */
export type SpanKind = 'server' | 'client' | 'internal';

export type Attributes = Readonly<Record<string, string | number>>;
