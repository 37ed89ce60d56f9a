import { type Fault, faultsOf, invalidForm, Status, unavailable, type Violation } from '@gatehouse/kit/fault';
import { ERRORS } from '@gatehouse/proto/errors';

/** Creates an error of the catalogue (proto/errors.ts). */
export const fault = faultsOf(ERRORS);

/** 400: the login failed. The error does not say why. */
export function wrongLogin(): Fault {
  const code = 'INVALID_EMAIL_OR_PASSWORD';
  const message = 'The e-mail address or the password is wrong.';
  return invalidForm([
    { path: 'email', code, message },
    { path: 'password', code, message },
  ]);
}

/** 403: an account of a bot or a person has this ID. */
export function idTaken(): Fault {
  return fault('FORBIDDEN', { message: 'This ID belongs to an account already.' });
}

/** 403: the application's bot belongs to another account. */
export function notYourBot(): Fault {
  return fault('FORBIDDEN', { message: 'This application belongs to another account.' });
}

/** 400: the request has too many account IDs. */
export function tooManyIds(max: number): Fault {
  return fault('BAD_REQUEST', { message: `At most ${max} accounts can be asked for at once.` });
}

/** 503: an address, a user name or an ID was taken while it was written, and is free again. */
export function brieflyTaken(): Fault {
  return unavailable(new Error('a name or an ID was taken while it was written, and is free again'));
}

/** 503: a value was encrypted under a key that this process does not have. */
export function secretUnreadable(): Fault {
  return unavailable(new Error('encrypted under a key that AUTH_SECRET_KEY does not list'));
}

/** 400: a ticket is unknown, used or expired, or had too many wrong codes. */
export function invalidTicket(): Fault {
  return invalidForm([
    { path: 'ticket', code: 'INVALID_OR_EXPIRED_TICKET', message: 'The ticket is unknown, used or expired.' },
  ]);
}

/** 400: an email address is malformed. */
export function malformedEmail(): Fault {
  return invalidForm([
    { path: 'email', code: 'INVALID_EMAIL_FORMAT', message: 'Must be an e-mail address.' },
  ]);
}

/** 400: a token from a mail is unknown, used or expired. `others` are further violations of the request. */
export function invalidMailToken(others: readonly Violation[] = []): Fault {
  return invalidForm([
    { path: 'token', code: 'INVALID_OR_EXPIRED_TOKEN', message: 'The token is unknown, used or expired.' },
    ...others,
  ]);
}

/** 400: a TOTP code, backup code or assertion is wrong or was used before. */
export function invalidMfaCode(path: string): Fault {
  return invalidForm([{ path, code: 'INVALID_MFA_CODE', message: 'The code is wrong or was used before.' }]);
}

/** 429: after too many wrong second factors, the account's multi-factor logins are blocked for `left_ms`. */
export function mfaBlocked(left_ms: number): Fault {
  const retry_after = left_ms / 1000;
  const seconds = Math.max(Math.ceil(retry_after), 1);
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  return fault('RATE_LIMITED', {
    message: `You are being rate limited. Try again in ${wait}.`,
    members: { global: false, retry_after },
  });
}

/** 400: a TOTP secret is malformed. */
export function invalidTotpSecret(): Fault {
  const message = 'Must be base32 of 10 to 64 bytes.';
  return invalidForm([{ path: 'secret', code: 'INVALID_FORMAT', message }]);
}

/** 400: the password of a proof is wrong. */
export function invalidPassword(): Fault {
  return invalidForm([{ path: 'password', code: 'INVALID_PASSWORD', message: 'The password is wrong.' }]);
}

/** 403: the login is held until the token from its mail is used. `resend_available_in` is in seconds. */
export function loginHeld(hold: {
  readonly ticket: string;
  readonly email: string;
  readonly resend_available_in: number;
}): Fault {
  return fault('IP_AUTHORIZATION_REQUIRED', { members: { ...hold } });
}

/** For operators: the account is suspended already, for another reason or by another operator. */
export function alreadySuspended(by: {
  readonly suspended_by: string | null;
  readonly suspension_reason: string | null;
}): Fault {
  return fault('ALREADY_SUSPENDED', {
    message: `The account is suspended already, by ${by.suspended_by}: ${by.suspension_reason}`,
  });
}

/** 403: the login is right, but an operator has suspended the account. */
export function accountSuspended(): Fault {
  return fault('ACCOUNT_SUSPENDED');
}

/** The kinds of proof that an account can give. */
export interface SudoMethods {
  readonly password: boolean;
  readonly totp: boolean;
  readonly webauthn: boolean;
}

/** 403: the operation needs a proof or a sudo grant. */
export function sudoRequired(has_mfa: boolean, methods: SudoMethods): Fault {
  return fault('SUDO_MODE_REQUIRED', { members: { has_mfa, methods: { ...methods } } });
}

/** 400 with the generic code. */
export function badRequest(message: string): Fault {
  return fault('BAD_REQUEST', { message });
}

/** 400, for an operator: the newest key of this replica is not the requested one. */
export function notTheNewestKey(newest: string): Fault {
  const message = `The newest key of this replica is ${newest}.`;
  return fault('BAD_REQUEST', { status: Status.FAILED_PRECONDITION, message });
}

/** 404: the resource does not exist. */
export function notFound(): Fault {
  return fault('NOT_FOUND');
}

/** 400: a mail cannot be sent again (null), or not yet. `resend_available_in` is in seconds. */
export function resendNotAvailable(resend_available_in: number | null): Fault {
  return fault('BAD_REQUEST', {
    status: Status.FAILED_PRECONDITION,
    message: 'The mail cannot be sent again now.',
    members: { resend_available_in },
  });
}

/** 400: the last export was less than a day ago. */
export function exportTooSoon(available_at: Date | undefined): Fault {
  const when = available_at?.toISOString() ?? null;
  return fault('EXPORT_TOO_SOON', {
    message: `A data export can be requested once a day, the next one at ${when ?? 'another time'}.`,
    members: { available_at: when },
  });
}

/** 404: no application has this ID, or it has no bot. */
export function unknownApplication(): Fault {
  return fault('UNKNOWN_APPLICATION');
}

/** 400: a registration response is invalid, or its passkey belongs to an account. `others` are further violations. */
export function invalidPasskey(others: readonly Violation[] = []): Fault {
  return invalidForm([
    ...others,
    { path: 'response', code: 'INVALID_FORMAT', message: 'Must be a new passkey.' },
  ]);
}

/** 400: the account has the maximum number of passkeys. */
export function tooManyPasskeys(max: number): Fault {
  return badRequest(`An account has at most ${max} passkeys.`);
}

/** 400: the account has no passkey that could answer a challenge. */
export function noPasskeys(): Fault {
  return badRequest('This account has no passkeys.');
}

/** 404: no account has this ID. */
export function unknownUser(): Fault {
  return fault('UNKNOWN_USER');
}
