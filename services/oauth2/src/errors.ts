import { Fault, Status, unavailable } from '@gatehouse/kit/fault';

/** 400: the account has as many applications as it may have. */
export function tooManyApplications(max: number): Fault {
  return new Fault({
    status: Status.FAILED_PRECONDITION,
    reason: 'BAD_REQUEST',
    message: `An account can have at most ${max} applications.`,
  });
}

/** 404: there is no application with this ID. */
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

/** 503: the bot was made, but so late that the application's place was given up. */
export function reservationLapsed(): Fault {
  return unavailable(new Error('the reservation lapsed before the bot was made'));
}
