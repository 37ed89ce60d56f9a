import { codePoints, Form } from '@gatehouse/kit/form';
import { readTrustedName } from '@gatehouse/kit/trusted-name';
import type { RegisterRequest } from '@gatehouse/proto/auth';
import { type UniqueKeys, uniqueKey } from '../store/accounts/unique-keys.ts';

/** A registration in its stored form, and the violations found in it. */
export interface Registration {
  readonly form: Form;
  readonly email: string;
  readonly username: string;
  readonly global_name: string | null;
  /** Keys of the address and the user name. A malformed one has none. */
  readonly keys: UniqueKeys;
}

const USERNAME_MAX = 32;
const GLOBAL_NAME_MAX = 32;
const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 256;
const EMAIL_MAX = 320;
const EMAIL_LOCAL_MAX = 64;
const EMAIL_DOMAIN_MAX = 255;

/**
 * Checks everything that does not depend on other accounts (docs/credentials.md#account-fields). Address and display
 * name are trimmed; user name and password are not.
 */
export function readRegistration(request: RegisterRequest): Registration {
  const form = new Form();
  const { email, email_key } = readEmail(form, request.email);
  const { username_key } = readUsername(form, request.username);
  checkPassword(form, 'password', request.password);
  return {
    form,
    email,
    username: request.username,
    global_name: request.global_name == null ? null : readGlobalName(form, request.global_name),
    keys: { email_key, username_key },
  };
}

/** The trimmed address, and its key unless it is malformed. */
export function readEmail(form: Form, text: string): { email: string; email_key: string | undefined } {
  const email_key = readEmailKey(text);
  if (email_key === undefined) form.fail('email', 'INVALID_EMAIL_FORMAT', 'Must be an e-mail address.');
  return { email: text.trim(), email_key };
}

export function readUsername(form: Form, username: string): { username_key: string | undefined } {
  const before = form.violations.length;
  form.text('username', username, { min: 1, max: USERNAME_MAX, code: 'USERNAME_LENGTH_INVALID' });
  if (!/^[A-Za-z0-9_.]*$/.test(username)) {
    form.fail(
      'username',
      'USERNAME_INVALID_CHARACTERS',
      'Must consist of the letters A-Z and a-z, digits, "_" and ".".',
    );
  }
  return { username_key: form.violations.length > before ? undefined : uniqueKey(username) };
}

/** A new password is not trimmed, normalized or cut. */
export function checkPassword(form: Form, path: string, password: string): void {
  form.text(path, password, { min: PASSWORD_MIN, max: PASSWORD_MAX, code: 'PASSWORD_LENGTH_INVALID' });
}

/**
 * Adds a violation for a NUL, which PostgreSQL cannot store, and returns whether there is one. The edge rejects NULs, but
 * other callers may not.
 */
export function failNul(form: Form, path: string, text: string): boolean {
  const has_nul = text.includes('\0');
  if (has_nul) form.fail(path, 'INVALID_FORMAT', 'Must be text without NUL.');
  return has_nul;
}

/** The display name, trimmed. */
export function readGlobalName(form: Form, text: string): string {
  return readTrustedName(form, 'global_name', text, { max: GLOBAL_NAME_MAX });
}

/**
 * The address in lower case, which identifies the account, or undefined if it is malformed. It must be a "valid e-mail
 * address" of the HTML standard, within the lengths of RFC 5321 §4.5.3.1.
 */
export function readEmailKey(text: string): string | undefined {
  const email = text.trim();
  if (codePoints(email) > EMAIL_MAX || !EMAIL.test(email)) return undefined;
  const at = email.indexOf('@');
  if (at > EMAIL_LOCAL_MAX || email.length - at - 1 > EMAIL_DOMAIN_MAX) return undefined;
  return uniqueKey(email);
}

// https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
