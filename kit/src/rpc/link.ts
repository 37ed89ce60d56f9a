import type { OutgoingCall, OutgoingStream } from './outgoing-call.ts';

/**
 * A connection to one replica: by a call stream (./stream/) or by unary RPCs (./unary/); or, to one in this process, none
 * (./direct/).
 */
export interface Link {
  readonly address: string;
  /** When it was opened, by performance.now(). */
  readonly openedAt_ms: number;
  /** Makes a call. Tells the call itself how it ended; never throws. */
  call(call: OutgoingCall): void;
  /** Asks for a stream of responses, as a streaming RPC of gRPC. To leave it early ends it. @throws Fault, in its turn */
  stream(call: OutgoingStream): AsyncIterable<unknown>;
  /** Whether the replica answers SERVING (grpc.health.v1) in time and takes calls now. */
  isServing(timeoutMs: number): Promise<boolean>;
  /** How many calls have no answer yet, or are streams. */
  inFlight(): number;
  state(): ConnectionState;
  /** Refuses further calls, and closes when the open ones are answered and streams have ended. */
  retire(): void;
}

/**
 * A connection that failed or was lost is opened again, after half a second at most; that of a call stream at once for a
 * call. The peer of one that is draining is about to end: it still takes calls, which are better made elsewhere.
 */
export type ConnectionState = 'connected' | 'draining' | 'connecting' | 'failed';
