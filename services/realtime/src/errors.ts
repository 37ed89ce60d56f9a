import { Fault, Status } from '@gatehouse/kit/fault';

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
