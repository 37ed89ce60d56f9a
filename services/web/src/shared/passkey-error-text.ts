import { i18n } from './i18n/i18n.ts';

/** The text of a browser's error. Browsers do not tell a missing passkey from a cancelled dialog. */
export function passkeyErrorText(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'SecurityError') return i18n._('Passkeys of this server do not work at this address.');
  if (name === 'InvalidStateError') return i18n._('This device has a passkey for your account already.');
  return i18n._('No passkey was used. You can try again.');
}
