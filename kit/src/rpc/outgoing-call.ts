import type { Caller } from '@gatehouse/proto/kit/calls';
import { type Fault, unavailable } from '../fault.ts';
import type { MethodDefinition } from './definition.ts';
import { MAX_OPEN_CALLS } from './limits.ts';

/** A call on its way to a replica. It ends with one call of `succeed` or `fail`. */
export interface OutgoingCall {
  readonly path: string;
  readonly method: MethodDefinition;
  readonly request: unknown;
  /** The encoded request. If given, `request` is ignored. */
  readonly encoded: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** The deadline, by performance.now(). Infinity: none. */
  readonly due_ms: number;
  readonly caller: Caller;
  readonly requestId: string;
  /** The traceparent of this call's span; empty if there is none. */
  readonly traceparent: string;
  readonly signal: AbortSignal | undefined;
  succeed(response: unknown): void;
  fail(error: Error): void;
}

/** The request for a stream of responses. */
export type OutgoingStream = Pick<
  OutgoingCall,
  'path' | 'method' | 'request' | 'due_ms' | 'caller' | 'requestId' | 'traceparent' | 'signal'
>;

export function tooManyCalls(): Fault {
  return unavailable(new Error(`${MAX_OPEN_CALLS} calls are open already`));
}

/** The fault of a call on a retired link. */
export function linkClosed(): Fault {
  return unavailable(new Error('the connection is closed'));
}
