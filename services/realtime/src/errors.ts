import { Fault, Status } from '@gatehouse/kit/fault';

/** 400: what another replica asked for makes no sense. */
export function badRequest(message: string): Fault {
  return new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message });
}
