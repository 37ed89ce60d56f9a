import { Fault, faultsOf, Status } from '@gatehouse/kit/fault';
import { ERRORS } from '@gatehouse/proto/errors';

/** Creates an error of the catalogue (proto/errors.ts). */
export const fault = faultsOf(ERRORS);

/** An account's guilds do not fit into the state budget (docs/gateway.md#bounds). */
export function stateIsFull(): Fault {
  return fault('STATE_FULL');
}

/** A READY exceeds the budget of all concurrent READYs. */
export function tooLarge(): Fault {
  return fault('READY_TOO_LARGE');
}

export function busy(): Fault {
  return fault('BUSY');
}

/** Whether this replica is at a limit: the client may try again later or at another one. */
export function isExhausted(error: unknown): boolean {
  return error instanceof Fault && error.status === Status.RESOURCE_EXHAUSTED;
}

export function badRequest(message: string): Fault {
  return fault('BAD_REQUEST', { message });
}

/** This replica is stopping and accepts no sessions. */
export function stopping(): Fault {
  return fault('STOPPING');
}
