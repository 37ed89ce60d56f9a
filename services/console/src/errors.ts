import { type Fault, faultsOf } from '@gatehouse/kit/fault';
import { ERRORS } from '@gatehouse/proto/errors';

/** Creates an error of the catalogue (proto/errors.ts). */
export const fault = faultsOf(ERRORS);

/** 403: the operator's role does not allow it. */
export function roleTooLow(needed: string): Fault {
  return fault('ACCESS_DENIED', { message: `This needs an operator with the role ${needed}.` });
}

/** 400: the request cannot be carried out as it is. */
export function badRequest(message: string): Fault {
  return fault('BAD_REQUEST', { message });
}

/** 503: a service, without which there is no answer, is away. */
export function serviceAway(service: string, cause: unknown): Fault {
  return fault('SERVICE_UNAVAILABLE', { message: `${service} does not answer. Try again shortly.`, cause });
}

/** 503: the console's database is away, or too slow. */
export function databaseAway(cause: unknown): Fault {
  return serviceAway('The console’s database', cause);
}

/** 504: the service of an action did not answer in time, and may act all the same. */
export function unsettled(cause: unknown): Fault {
  return fault('GATEWAY_TIMEOUT', {
    message: 'The service did not answer in time. It may act all the same: look before you repeat it.',
    cause,
  });
}

/** 429: too many wrong sign-ins from this address, or with this name. */
export function tooManySignIns(wait_ms: number): Fault {
  return fault('RATE_LIMITED', {
    message: 'Too many attempts to sign in. Wait a few minutes.',
    members: { global: false, retry_after: Math.ceil(wait_ms / 1_000) },
  });
}

/** 404: there is no operator of this name. */
export function unknownOperator(): Fault {
  return fault('UNKNOWN_OPERATOR');
}
