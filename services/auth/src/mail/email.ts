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
    | 'factors-reset'
    | 'new-login'
    | 'mfa-held'
    | 'export-ready';
  readonly values: Readonly<Record<string, string>>;
  /** The tag of its language; unset in emails that an older version has queued. */
  readonly language?: string;
  /** The email expires after this time. */
  readonly expires_in_ms: number;
}

/** The encrypted part of an email in the outbox. */
export type EmailContent = Pick<Email, 'to' | 'template' | 'values' | 'language'>;

/** The link, and the time, address and client of the action. */
const COMMON_VALUES = ['username', 'url', 'when', 'ip', 'client', 'browser', 'os'];

/** The values that each template uses. */
const VALUES: Readonly<Record<Email['template'], readonly string[]>> = {
  'verify-email': ['token', ...COMMON_VALUES],
  'reset-password': ['token', ...COMMON_VALUES],
  'authorize-login': ['token', ...COMMON_VALUES],
  'email-changed': ['email', ...COMMON_VALUES],
  'password-changed': COMMON_VALUES,
  'factor-added': ['factor', ...COMMON_VALUES],
  'factor-removed': ['factor', ...COMMON_VALUES],
  // An operator's address and client are nobody's business.
  'factors-reset': ['username', 'url'],
  'new-login': COMMON_VALUES,
  'mfa-held': COMMON_VALUES,
  'export-ready': COMMON_VALUES,
};

/** The names of all templates. */
export const EMAIL_TEMPLATES = Object.keys(VALUES);

/** Encrypts an email for the outbox, so that a copy of the database reveals neither recipient nor token. */
export function encryptEmail(
  encryption: Encryption,
  id: string,
  { to, template, values, language }: EmailContent,
): Buffer {
  const missing = VALUES[template].filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new TypeError(`${template} lacks the values ${missing.join(', ')}`);
  return encryption.encrypt(JSON.stringify({ to, template, values, language }), encryptionContext(id));
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
