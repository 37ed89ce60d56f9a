import type { I18n } from '@lingui/core';
import type { Email } from './email.ts';
import { isolate } from './isolate.ts';

/** What a template's mail says, without the parts that all mails share. */
export interface Words {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The label of the button. */
  readonly button: string;
  /** What to do if it was somebody else. */
  readonly advice: string;
  /** Before the client, the address and the time of the action. */
  readonly facts_intro?: string;
}

type WriteWords = (i18n: I18n, values: Email['values']) => Words;

/** The words of each template. */
export const WORDS: Readonly<Record<Email['template'], WriteWords>> = {
  'verify-email': (i18n) => ({
    subject: i18n._('Verify your e-mail address'),
    paragraphs: [i18n._('Please confirm within 24 hours that this e-mail address is yours.')],
    button: i18n._('Verify the address'),
    facts_intro: i18n._('Who entered the address:'),
    advice: i18n._(
      'If that was not you, ignore this mail. Without your confirmation the address stays unverified.',
    ),
  }),
  'reset-password': (i18n) => ({
    subject: i18n._('Set a new password'),
    paragraphs: [
      i18n._('Somebody requested a new password for your account. You can set one within an hour.'),
    ],
    button: i18n._('Set a new password'),
    facts_intro: i18n._('Who requested it:'),
    advice: i18n._('If that was not you, ignore this mail: your password stays as it is.'),
  }),
  'authorize-login': (i18n) => ({
    subject: i18n._('Are you logging in?'),
    paragraphs: [
      i18n._('Somebody who knows your password is trying to log in from a new place.'),
      i18n._('If this is you, allow the login within 15 minutes.'),
    ],
    button: i18n._('It is me'),
    facts_intro: i18n._('The login comes from:'),
    advice: i18n._('If this is not you, use neither the link nor the code, and change your password.'),
  }),
  'email-changed': (i18n, { email = '' }) => ({
    subject: i18n._('Your e-mail address was changed'),
    paragraphs: [
      i18n._(
        'The e-mail address of your account was changed to {email}. This mail goes to the old address.',
        {
          email: isolate(email),
        },
      ),
    ],
    button: i18n._('Open your account'),
    advice: i18n._('If that was not you, somebody else has your account: contact support.'),
  }),
  'password-changed': (i18n) => ({
    subject: i18n._('Your password was changed'),
    paragraphs: [i18n._('The password of your account was changed.')],
    button: i18n._('Open your account'),
    advice: i18n._(
      'If that was not you, somebody else uses your account: reset your password, and end all sessions that are not yours.',
    ),
  }),
  'factor-added': (i18n, { factor = '' }) => ({
    subject: i18n._('A second factor was added to your account'),
    paragraphs: [
      isPasskey(factor)
        ? i18n._('A passkey was added to your account: logins with a password now require it.')
        : i18n._('An authenticator app was added to your account: logins with a password now require it.'),
    ],
    button: i18n._('Open your account'),
    advice: i18n._(
      'If that was not you, somebody else uses your account: remove it, set a new password, and end all sessions that are not yours. If you can no longer log in, contact support.',
    ),
  }),
  'factor-removed': (i18n, { factor = '' }) => ({
    subject: i18n._('A second factor was removed from your account'),
    paragraphs: [
      isPasskey(factor)
        ? i18n._('A passkey was removed from your account: logins no longer require it.')
        : i18n._('An authenticator app was removed from your account: logins no longer require it.'),
    ],
    button: i18n._('Open your account'),
    advice: i18n._(
      'If that was not you, somebody else uses your account: set a new password, end all sessions that are not yours, and add a second factor again.',
    ),
  }),
  'factors-reset': (i18n) => ({
    subject: i18n._('All second factors were removed from your account'),
    paragraphs: [
      i18n._(
        'Our support removed all second factors and backup codes from your account: logins no longer require them. Logins that were not finished have ended.',
      ),
    ],
    button: i18n._('Open your account'),
    advice: i18n._(
      'Please add a second factor again. If you did not ask for this, set a new password and contact support.',
    ),
  }),
  'new-login': (i18n) => ({
    subject: i18n._('A login from a new place'),
    paragraphs: [i18n._('Somebody logged in to your account from a new place.')],
    button: i18n._('Open your account'),
    advice: i18n._(
      'If that was you, there is nothing to do. If not, set a new password, and end all sessions that are not yours.',
    ),
  }),
  'mfa-held': (i18n) => ({
    subject: i18n._('Somebody is trying to log in to your account'),
    paragraphs: [
      i18n._(
        'Somebody who knows your password entered 20 wrong codes for your second factor within an hour. For 15 minutes, all logins with password and second factor are blocked, including yours.',
      ),
    ],
    button: i18n._('Open your account'),
    facts_intro: i18n._('The last wrong code:'),
    advice: i18n._('If that was not you, set a new password. None of these codes was accepted.'),
  }),
  'export-ready': (i18n) => ({
    subject: i18n._('Your data export is ready'),
    paragraphs: [
      i18n._('The file with the data of your account is ready. You can download it while you are signed in.'),
    ],
    button: i18n._('Get the export'),
    facts_intro: i18n._('Who requested it:'),
    advice: i18n._(
      'If that was not you, somebody else uses your account: set a new password, and end all sessions that are not yours.',
    ),
  }),
};

function isPasskey(factor: string): boolean {
  return factor === 'A passkey';
}
