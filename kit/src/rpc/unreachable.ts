import { deadlineExceeded, Fault, unavailable } from '../fault.ts';

/** A peer that holds or accepts a connection but does not answer, as a stopped process does. */
export class PeerSilent extends Error {}

/** The peer is lost, unreachable or silent. Calls are retried after this fault and no other. */
export class Unreachable extends Fault {
  /** Whether the call was sent, so that the peer may have begun it. */
  readonly sent: boolean;

  constructor(cause?: unknown, sent = !hadNoConnection(cause)) {
    const { status, reason, message } = cause instanceof PeerSilent ? deadlineExceeded() : unavailable();
    super({ status, reason, message, cause });
    this.sent = sent;
  }
}

/** grpc-js's text for a call that never had a connection. */
function hadNoConnection(cause: unknown): boolean {
  const { details } = (cause ?? {}) as { details?: unknown };
  return typeof details === 'string' && details.startsWith('No connection established');
}
