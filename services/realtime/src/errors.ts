import { Fault, Status } from '@gatehouse/kit/fault';

/** An account's guilds do not fit into the state budget (docs/gateway.md#bounds). */
export function stateIsFull(): Fault {
  return exhausted('STATE_FULL', 'The state of the guilds does not fit.');
}

/** A READY exceeds the budget of all concurrent READYs. */
export function tooLarge(): Fault {
  return exhausted('READY_TOO_LARGE', 'The READY is too large.');
}

export function busy(): Fault {
  return exhausted('BUSY', 'Too many large READYs are waiting.');
}

/** Whether this replica is at a limit: the client may try again later or at another one. */
export function isExhausted(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.RESOURCE_EXHAUSTED;
}

function exhausted(reason: string, message: string): Fault {
  return new Fault({ status: Status.RESOURCE_EXHAUSTED, reason, message });
}

export function badRequest(message: string): Fault {
  return new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message });
}

/** This replica is stopping and accepts no sessions. */
export function stopping(): Fault {
  return new Fault({
    status: Status.FAILED_PRECONDITION,
    reason: 'STOPPING',
    message: 'This replica stops.',
  });
}
