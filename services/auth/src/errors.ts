import { Fault, invalidForm, Status, unavailable } from '@gatehouse/kit/fault';

/** 401: the call needs a caller that it does not have, or whose account is gone. */
export function unauthorized(): Fault {
  return new Fault({
    status: Status.UNAUTHENTICATED,
    reason: 'UNAUTHORIZED',
    message: 'A valid credential is required.',
  });
}

/** 400 for every login that fails, whatever was wrong with it. */
export function wrongLogin(): Fault {
  const code = 'INVALID_EMAIL_OR_PASSWORD';
  const message = 'The e-mail address or the password is wrong.';
  return invalidForm([
    { path: 'email', code, message },
    { path: 'password', code, message },
  ]);
}

/** 403: the ID of the application belongs to another owner's bot, or to a person. */
export function notYourBot(): Fault {
  return new Fault({
    status: Status.PERMISSION_DENIED,
    reason: 'FORBIDDEN',
    message: 'This application belongs to another account.',
  });
}

/** 400: more accounts are asked for than one answer holds. */
export function tooManyIds(max: number): Fault {
  return new Fault({
    status: Status.INVALID_ARGUMENT,
    reason: 'BAD_REQUEST',
    message: `At most ${max} accounts can be asked for at once.`,
  });
}

/** 503: as many passwords wait to be hashed as can be done in useful time. */
export function passwordQueueFull(waiting: number): Fault {
  return unavailable(new Error(`${waiting} passwords wait to be hashed already`));
}

/**
 * 503: an account could not be made, and no name of it is taken. Either its name was given up this
 * very moment, or another process makes the same IDs.
 */
export function accountNotMade(): Fault {
  return unavailable(new Error('no name is taken, but the account conflicts; is WORKER_ID unique?'));
}
