import type { Logger } from '../log.ts';
import type { Attributes, Span } from './span.ts';
import type { TraceConfig } from './trace-config.ts';
import type { Parent } from './traceparent.ts';

/** Begins spans, and sends those that have ended to a receiver. */
export interface Tracer {
  /** What this process does for a request or a call that is sampled. */
  begin(name: string, attributes: Attributes, parent: Parent | undefined): Span;
  counts(): TracerCounts;
  /** What has ended is sent still, if that is quickly done. */
  close(): Promise<void>;
}

/** Of spans, since the process started. */
export interface TracerCounts {
  readonly ended: number;
  readonly sent: number;
  /** The receiver refused them, or was away for so long that there was no room. */
  readonly lost: number;
}

export interface TracerOptions extends TraceConfig {
  /** The process, such as "auth". */
  readonly service: string;
  readonly log: Logger;
}
