import type { Caller } from '@gatehouse/proto/kit/calls';
import { type Fault, unavailable } from '../fault.ts';
import type { MethodDefinition } from './definition.ts';
import { MAX_OPEN_CALLS } from './limits.ts';

/** A call on its way to a replica. Of `succeed` and `fail` one is called, once. */
export interface OutgoingCall {
  readonly path: string;
  readonly method: MethodDefinition;
  readonly request: unknown;
  /** The request's bytes where it is encoded already; then `request` is not looked at. */
  readonly encoded: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** When its caller gives up, by performance.now(). */
  readonly due_ms: number;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
  succeed(response: unknown): void;
  fail(error: Error): void;
}

export function tooManyCalls(): Fault {
  return unavailable(new Error(`${MAX_OPEN_CALLS} calls are open already`));
}

/** Of a link that is retired. */
export function linkClosed(): Fault {
  return unavailable(new Error('the connection is closed'));
}
