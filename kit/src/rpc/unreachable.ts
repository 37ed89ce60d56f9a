import { deadlineExceeded, Fault, unavailable } from '../fault.ts';

/** A peer that has a connection, or takes one, and says nothing: as a process does that is stopped. */
export class PeerSilent extends Error {}

/**
 * The peer was lost, could not be reached, or says nothing any more. This is the only fault after which a call is tried
 * again.
 */
export class Unreachable extends Fault {
  /** Whether the call was sent, so that the peer may have begun it. */
  readonly sent: boolean;

  constructor(cause?: unknown, sent = !hadNoConnection(cause)) {
    const { status, reason, message } = cause instanceof PeerSilent ? deadlineExceeded() : unavailable();
    super({ status, reason, message, cause });
    this.sent = sent;
  }
}

/** The text that grpc-js gives a call which no connection accepted. */
function hadNoConnection(cause: unknown): boolean {
  const { details } = (cause ?? {}) as { details?: unknown };
  return typeof details === 'string' && details.startsWith('No connection established');
}
