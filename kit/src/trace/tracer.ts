import type { Logger } from '../log.ts';
import type { Attributes, Span } from './span.ts';
import type { TraceConfig } from './trace-config.ts';
import type { Parent } from './traceparent.ts';

/** Begins spans, and sends ended ones to a receiver. */
export interface Tracer {
  /** Begins the span of a sampled request or call in this process. */
  begin(name: string, attributes: Attributes, parent: Parent | undefined): Span;
  counts(): TracerCounts;
  /** Sends the ended spans, for a short time at most. */
  close(): Promise<void>;
}

/** Numbers of spans since the process started. */
export interface TracerCounts {
  readonly ended: number;
  readonly sent: number;
  /** Refused by the receiver, or dropped from a full queue. */
  readonly lost: number;
}

export interface TracerOptions extends TraceConfig {
  /** The process's name, such as "auth". */
  readonly service: string;
  readonly log: Logger;
}
