import { cancelled, deadlineExceeded, Status } from '../../fault.ts';
import type { ServerCall } from '../call.ts';
import {
  type CallWatch,
  decodeRequest,
  type Failure,
  outcomeOf,
  type RequestMessage,
  type ServedStream,
} from '../dispatch.ts';

/** The ways a stream ends for its client. */
export interface StreamEnds {
  end(): void;
  fail(failure: Failure): void;
  /** The server stops: the client may continue elsewhere. */
  stop(): void;
  isStopping(): boolean;
}

/**
 * Sends a response. Settles when there is room for another one, or the call is aborted.
 *
 * @throws if it cannot be encoded
 */
export type SendResponse = (response: unknown) => Promise<void>;

/**
 * Runs a handler, sends its responses as the client reads them, and writes the stream's log line at its end. Never
 * throws.
 */
export async function dispatchStream(
  method: ServedStream,
  request: RequestMessage,
  call: ServerCall,
  send: SendResponse,
  watch: CallWatch,
  ends: StreamEnds,
): Promise<void> {
  const startedAt = performance.now();
  // The handler runs outside of the span, because it may last for hours and query the database all the while.
  watch.began(method, call);
  const log = (status: Status, error?: unknown): void =>
    watch.ended(method, call, status, performance.now() - startedAt, error);
  try {
    if (call.due_ms <= startedAt) throw deadlineExceeded();
    const decoded = decodeRequest(method, request);
    if (!call.aborted) {
      for await (const response of method.handler(decoded, call)) {
        if (call.aborted) break;
        await send(response);
        if (call.aborted) break;
      }
    }
    if (!call.aborted) {
      ends.end();
      log(Status.OK);
      return;
    }
  } catch (thrown) {
    if (!call.aborted || !ends.isStopping()) {
      const { outcome, error } = outcomeOf(thrown, call);
      ends.fail(outcome);
      log(outcome.status, error);
      return;
    }
  }
  if (ends.isStopping()) {
    ends.stop();
    log(Status.UNAVAILABLE);
  } else {
    ends.fail(outcomeOf(cancelled(), call).outcome); // for grpc-js: the client is gone
    log(Status.CANCELLED);
  }
}
