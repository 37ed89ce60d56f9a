import { Fault, unavailable } from '../fault.ts';

/** The peer was lost or could not be reached: of all faults the one that a repeat may mend. */
export class Unreachable extends Fault {
  constructor(cause?: unknown) {
    const { status, reason, message } = unavailable();
    super({ status, reason, message, cause });
  }
}
