import type { SignIn } from '@gatehouse/proto/auth';
import { i18n } from '../shared/i18n/i18n.ts';

/** What happened, in the words of the page. */
export function outcomeText(outcome: string): string {
  switch (outcome) {
    case 'signed_in':
      return i18n._('Signed in');
    case 'second_factor_refused':
      return i18n._('Refused: wrong second factor');
    case 'blocked':
      return i18n._('Blocked: too many wrong codes');
    case 'held':
      return i18n._('Held: a new place');
    case 'released':
      return i18n._('Allowed by mail');
    default:
      return i18n._('Refused');
  }
}

/** By what somebody signed in, or tried to; empty if it is unknown. */
export function methodText(method: SignIn['method']): string {
  switch (method) {
    case 'registration':
      return i18n._('new account');
    case 'password':
      return i18n._('by password');
    case 'totp':
      return i18n._('by authenticator app');
    case 'backup_code':
      return i18n._('by backup code');
    case 'passkey':
      return i18n._('by passkey');
    case 'mail':
      return i18n._('by the link in the mail');
    case 'password_reset':
      return i18n._('by a new password');
    default:
      return '';
  }
}
