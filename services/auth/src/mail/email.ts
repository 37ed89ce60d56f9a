import type { SealedValues } from '../encryption/encrypted-values.ts';
import type { Seals } from '../encryption/encryption.ts';
import { pageLetters, replaceLetters } from '../store/mails.ts';

/** A mail to be sent. */
export interface Letter {
  /** Empty: nobody. It costs what any other does and is not sent. */
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
  /** Past this nobody needs it any more. */
  readonly expires_in_ms: number;
}

/** What the outbox keeps of a letter. */
export type SealedLetter = Pick<Letter, 'to' | 'template' | 'values'>;

/** When something was done, and by whom as far as it is known. */
const WHO = ['when', 'ip', 'client'];

/** What each template writes, besides its own words. */
const VALUES: Readonly<Record<Letter['template'], readonly string[]>> = {
  'verify-email': ['username', 'url', 'token'],
  'reset-password': ['username', 'url', 'token'],
  'authorize-login': ['username', 'url', 'token', 'ip', 'client'],
  'email-changed': ['username', 'email', ...WHO],
  'password-changed': ['username', ...WHO],
  'factor-added': ['username', 'factor', ...WHO],
  'factor-removed': ['username', 'factor', ...WHO],
  'new-login': ['username', ...WHO],
  'mfa-held': ['username', ...WHO],
};

/** Seals a letter for the outbox: recipient and token are in no copy of the database. */
export function sealLetter(seals: Seals, id: string, { to, template, values }: SealedLetter): Buffer {
  const missing = VALUES[template].filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new TypeError(`a mail of ${template} needs ${missing.join(', ')}`);
  return seals.seal(JSON.stringify({ to, template, values }), contextOf(id));
}

/** @throws SERVICE_UNAVAILABLE when it was sealed under a key that is not configured here */
export function openLetter(seals: Seals, id: string, sealed: Buffer): SealedLetter {
  // Sealed above: nobody else can have written it.
  return JSON.parse(seals.open(sealed, contextOf(id))) as SealedLetter;
}

export const sealedLetters: SealedValues = {
  table: 'mails',
  context: contextOf,
  page: pageLetters,
  reseal: (db, seals, values) =>
    replaceLetters(
      db,
      values.map(({ id, sealed, text }) => ({
        id,
        before: sealed,
        after: seals.seal(text, contextOf(id)),
      })),
    ),
};

function contextOf(id: string): string {
  return `mail:${id}`;
}
