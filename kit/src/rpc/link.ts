import type { OutgoingCall } from './outgoing-call.ts';

/** One replica as its callers have it, whether by a call stream (./stream/) or by unary RPCs (./unary/). */
export interface Link {
  readonly address: string;
  /** By performance.now(). */
  readonly openedAt_ms: number;
  /** Makes a call and tells it how it ended; never throws. */
  call(call: OutgoingCall): void;
  /** Whether the replica says SERVING (grpc.health.v1) within the time, and takes calls now. */
  isServing(timeoutMs: number): Promise<boolean>;
  /** Calls without an answer yet. */
  inFlight(): number;
  state(): ConnectionState;
  /** Takes no further calls, and closes when those it has are answered. */
  retire(): void;
}

/** Of a connection. One that failed, or is lost, is made again, with a back-off of at most half a second. */
export type ConnectionState = 'connected' | 'connecting' | 'failed';
