import { Fault, Status } from '@gatehouse/kit/fault';

/** The guilds of an account would take more memory than there is room for (docs/gateway.md#bounds). */
export function stateIsFull(): Fault {
  return exhausted('STATE_FULL', 'There is no room for the state of its guilds.');
}

/** A READY would be larger than all that are made at one time may be together. */
export function tooLarge(): Fault {
  return exhausted('READY_TOO_LARGE', 'Its READY would be too large.');
}

/** Too many large READYs wait for their turn. */
export function busy(): Fault {
  return exhausted('BUSY', 'Too many large READYs wait for their turn.');
}

/** Whether a bound of this replica was met: its client may try again later, or elsewhere. */
export function isExhausted(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.RESOURCE_EXHAUSTED;
}

function exhausted(reason: string, message: string): Fault {
  return new Fault({ status: Status.RESOURCE_EXHAUSTED, reason, message });
}

/** 400: what another replica asked for makes no sense. */
export function badRequest(message: string): Fault {
  return new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message });
}

/** This replica stops, as it was told to, and takes no sessions over. */
export function stopping(): Fault {
  return new Fault({
    status: Status.FAILED_PRECONDITION,
    reason: 'STOPPING',
    message: 'This replica stops.',
  });
}
