import type { EncryptedTable } from '../encryption/encrypted-table.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { pageMails, replaceMails } from '../store/mail/mails.ts';

/** An email to send. */
export interface Email {
  /** Empty: the email is composed like any other, but not sent. */
  readonly to: string;
  readonly template:
    | 'verify-email'
    | 'reset-password'
    | 'authorize-login'
    | 'email-changed'
    | 'password-changed'
    | 'factor-added'
    | 'factor-removed'
    | 'new-login'
    | 'mfa-held';
  readonly values: Readonly<Record<string, string>>;
  /** The email expires after this time. */
  readonly expires_in_ms: number;
}

/** The encrypted part of an email in the outbox. */
export type EmailContent = Pick<Email, 'to' | 'template' | 'values'>;

/** The time, address and client of an action. */
const ACTION_VALUES = ['when', 'ip', 'client'];

/** The values that each template uses. */
const VALUES: Readonly<Record<Email['template'], readonly string[]>> = {
  'verify-email': ['username', 'url', 'token'],
  'reset-password': ['username', 'url', 'token'],
  'authorize-login': ['username', 'url', 'token', 'ip', 'client'],
  'email-changed': ['username', 'email', ...ACTION_VALUES],
  'password-changed': ['username', ...ACTION_VALUES],
  'factor-added': ['username', 'factor', ...ACTION_VALUES],
  'factor-removed': ['username', 'factor', ...ACTION_VALUES],
  'new-login': ['username', ...ACTION_VALUES],
  'mfa-held': ['username', ...ACTION_VALUES],
};

/** The names of all templates. */
export const EMAIL_TEMPLATES = Object.keys(VALUES);

/** Encrypts an email for the outbox, so that a copy of the database reveals neither recipient nor token. */
export function encryptEmail(
  encryption: Encryption,
  id: string,
  { to, template, values }: EmailContent,
): Buffer {
  const missing = VALUES[template].filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new TypeError(`${template} lacks the values ${missing.join(', ')}`);
  return encryption.encrypt(JSON.stringify({ to, template, values }), encryptionContext(id));
}

/** @throws SERVICE_UNAVAILABLE if its key is not configured here */
export function decryptEmail(encryption: Encryption, id: string, encrypted: Buffer): EmailContent {
  // The decryption has verified that encryptEmail wrote it.
  return JSON.parse(encryption.decrypt(encrypted, encryptionContext(id))) as EmailContent;
}

export const encryptedMails: EncryptedTable = {
  name: 'mails',
  context: encryptionContext,
  page: pageMails,
  reencrypt: (db, encryption, values) =>
    replaceMails(
      db,
      values.map(({ id, encrypted, text }) => ({
        id,
        before: encrypted,
        after: encryption.encrypt(text, encryptionContext(id)),
      })),
    ),
};

function encryptionContext(id: string): string {
  return `mail:${id}`;
}
