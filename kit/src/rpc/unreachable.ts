import { Fault, unavailable } from '../fault.ts';

/** The peer was lost or could not be reached: of all faults the one that a repeat may mend. */
export class Unreachable extends Fault {
  /** Whether the peer may have begun with the call. */
  readonly sent: boolean;

  constructor(cause?: unknown, sent = !hadNoConnection(cause)) {
    const { status, reason, message } = unavailable();
    super({ status, reason, message, cause });
    this.sent = sent;
  }
}

/** What grpc-js says of a call for which there was no connection, or none any more that took it. */
function hadNoConnection(cause: unknown): boolean {
  const { details } = (cause ?? {}) as { details?: unknown };
  return typeof details === 'string' && details.startsWith('No connection established');
}
