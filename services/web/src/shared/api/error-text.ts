import { i18n } from '../i18n/i18n.ts';
import { ApiError, type FieldError } from './api-error.ts';
import { ServiceAway } from './service-away.ts';
import { UserFacingError } from './user-facing-error.ts';

/** An error as text for users. Errors of single fields are shown at the fields. */
export function errorText(error: unknown): string {
  if (error instanceof UserFacingError || error instanceof ServiceAway) return error.message;
  if (!(error instanceof ApiError))
    return i18n._('Something went wrong on this page. Reload it and try again.');
  const { status, code, message, body } = error;
  if (status === 0) return i18n._('The server cannot be reached. Check your connection and try again.');
  if (status === 429)
    return i18n._('Too many attempts. Wait {wait} and try again.', { wait: waitText(body.retry_after) });
  if (status >= 500) return i18n._('The server is busy or being restarted. Try again in a moment.');
  return texts()[code] ?? message;
}

function texts(): Readonly<Record<string, string>> {
  return {
    UNAUTHORIZED: i18n._('You are signed out. Sign in again.'),
    ACCOUNT_SUSPENDED: i18n._(
      'This account is suspended. Contact support if you think that this is a mistake.',
    ),
    UNKNOWN_APPLICATION: i18n._('This application no longer exists.'),
    INVALID_FORM_BODY: i18n._('Something in the form is invalid.'),
  };
}

function waitText(seconds: unknown): string {
  const whole = Math.max(1, Math.ceil(Number(seconds) || 1));
  if (whole < 120) return i18n._('{seconds, plural, one {a second} other {# seconds}}', { seconds: whole });
  return i18n._('{minutes, plural, one {a minute} other {# minutes}}', { minutes: Math.ceil(whole / 60) });
}

/** The message for a member of the form. Undefined if it has no error. */
export function fieldErrorText(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.fields.find((field) => field.path === path);
  return found && (fieldTexts()[found.code] ?? found.message);
}

function fieldTexts(): Readonly<Record<FieldError['code'], string>> {
  return {
    INVALID_EMAIL_OR_PASSWORD: i18n._('The e-mail address or the password is wrong.'),
    INVALID_EMAIL_FORMAT: i18n._('This is not an e-mail address.'),
    EMAIL_ALREADY_IN_USE: i18n._('There is already an account with this address.'),
    TAG_ALREADY_TAKEN: i18n._('This name is already taken.'),
    INVALID_PASSWORD: i18n._('The password is wrong.'),
    INVALID_MFA_CODE: i18n._('The code is wrong, or was used already.'),
    INVALID_SUDO_PROOF: i18n._('The passkey was not accepted.'),
    PASSWORD_LENGTH_INVALID: i18n._('A password has 8 to 256 characters.'),
    USERNAME_LENGTH_INVALID: i18n._('A user name has 1 to 32 characters.'),
    USERNAME_INVALID_CHARACTERS: i18n._(
      'A user name cannot contain spaces: only letters from A to Z, digits, dots and underscores.',
    ),
  };
}
