import { Fault, Status, unavailable } from '@gatehouse/kit/fault';

/** 401: the call needs a caller that it does not have. */
export function unauthorized(): Fault {
  return new Fault({
    status: Status.UNAUTHENTICATED,
    reason: 'UNAUTHORIZED',
    message: 'A valid credential is required.',
  });
}

/** 400: the account has the maximum number of applications. */
export function tooManyApplications(max: number): Fault {
  return new Fault({
    status: Status.FAILED_PRECONDITION,
    reason: 'BAD_REQUEST',
    message: `An account can have at most ${max} applications.`,
  });
}

/** 404: no application has this ID. */
export function unknownApplication(): Fault {
  return new Fault({
    status: Status.NOT_FOUND,
    reason: 'UNKNOWN_APPLICATION',
    message: 'There is no such application.',
  });
}

/** 403: somebody else owns the application. */
export function notYourApplication(): Fault {
  return new Fault({
    status: Status.PERMISSION_DENIED,
    reason: 'FORBIDDEN',
    message: 'This application belongs to another account.',
  });
}

/** 503: the bot was created, but only after the application's reservation had expired. */
export function reservationExpired(): Fault {
  return unavailable(new Error('the reservation expired before the bot was created'));
}
