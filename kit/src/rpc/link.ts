import type { OutgoingCall, OutgoingStream } from './outgoing-call.ts';

/**
 * A way to call one replica: on a call stream (./stream/), by unary RPCs (./unary/), or in this process (./direct/).
 */
export interface Link {
  readonly address: string;
  /** When the link was opened, by performance.now(). */
  readonly openedAt_ms: number;
  /** Number of calls without an answer, open streams included. */
  readonly inFlight: number;
  /** Makes a call, and settles it by its `succeed` or `fail`. Never throws. */
  call(call: OutgoingCall): void;
  /** Calls a method that answers with a stream. Leaving the iteration early cancels the call. @throws Fault while iterating */
  stream(call: OutgoingStream): AsyncIterable<unknown>;
  /** Whether the replica answers SERVING (grpc.health.v1) in time and takes calls now. */
  isServing(timeoutMs: number): Promise<boolean>;
  state(): ConnectionState;
  /** Refuses further calls, and closes when open calls are answered and streams have ended. */
  retire(): void;
}

/**
 * A failed or lost connection is opened again within half a second; a call stream's at once when a call needs it. The
 * peer of a draining connection is about to end: it still takes calls, but other replicas are preferred.
 */
export type ConnectionState = 'connected' | 'draining' | 'connecting' | 'failed';
