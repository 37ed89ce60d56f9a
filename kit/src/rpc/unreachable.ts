import { Fault, unavailable } from '../fault.ts';

/** The peer was lost or could not be reached. This is the only fault after which a call is tried again. */
export class Unreachable extends Fault {
  /** Whether the call was sent, so that the peer may have begun it. */
  readonly sent: boolean;

  constructor(cause?: unknown, sent = !hadNoConnection(cause)) {
    const { status, reason, message } = unavailable();
    super({ status, reason, message, cause });
    this.sent = sent;
  }
}

/** The text that grpc-js gives a call which no connection accepted. */
function hadNoConnection(cause: unknown): boolean {
  const { details } = (cause ?? {}) as { details?: unknown };
  return typeof details === 'string' && details.startsWith('No connection established');
}
