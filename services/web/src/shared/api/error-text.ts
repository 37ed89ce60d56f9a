import { ApiError, type FieldError } from './api-error.ts';
import { UserFacingError } from './user-facing-error.ts';

/** An error as text for users. Errors of single fields are shown at the fields. */
export function errorText(error: unknown): string {
  if (error instanceof UserFacingError) return error.message;
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.';
  const { status, code, message, body } = error;
  if (status === 0) return 'The server cannot be reached. Check your connection and try again.';
  if (status === 429) return `Too many attempts. Wait ${waitText(body.retry_after)} and try again.`;
  if (status >= 500) return 'The server is busy or being restarted. Try again in a moment.';
  return TEXTS[code] ?? message;
}

const TEXTS: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'You are signed out. Sign in again.',
  UNKNOWN_APPLICATION: 'This application no longer exists.',
  INVALID_FORM_BODY: 'Something in the form is invalid.',
};

function waitText(seconds: unknown): string {
  const whole = Math.max(1, Math.ceil(Number(seconds) || 1));
  if (whole < 120) return whole === 1 ? 'a second' : `${whole} seconds`;
  return `${Math.ceil(whole / 60)} minutes`;
}

/** The message for a member of the form. Undefined if it has no error. */
export function fieldErrorText(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.fields.find((field) => field.path === path);
  return found && (FIELD_TEXTS[found.code] ?? found.message);
}

const FIELD_TEXTS: Readonly<Record<FieldError['code'], string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
  INVALID_EMAIL_FORMAT: 'This is not an e-mail address.',
  EMAIL_ALREADY_IN_USE: 'There is already an account with this address.',
  TAG_ALREADY_TAKEN: 'This name is already taken.',
  INVALID_PASSWORD: 'The password is wrong.',
  INVALID_MFA_CODE: 'The code is wrong, or was used already.',
  INVALID_SUDO_PROOF: 'The passkey was not accepted.',
  PASSWORD_LENGTH_INVALID: 'A password has 8 to 256 characters.',
  USERNAME_LENGTH_INVALID: 'A user name has 1 to 32 characters.',
  USERNAME_INVALID_CHARACTERS: 'A user name has letters from A to Z, digits, dots and underscores.',
};
