import { readFileSync } from 'node:fs';
import { type I18n, type Messages, setupI18n } from '@lingui/core';
import { LANGUAGES, type Language } from '../accounts/languages.ts';

/** A language of mails. */
export interface MailLanguage {
  readonly tag: Language;
  /** For Intl. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly i18n: I18n;
}

/** English dates as most of the world writes them. */
const LOCALES: Partial<Record<Language, string>> = { en: 'en-GB' };
const RIGHT_TO_LEFT: ReadonlySet<Language> = new Set<Language>(['ar']);

/** Compiled from the catalogs in locales/ by `npm run generate`. */
const CATALOGS = new URL('../generated/mail-catalogs.json', import.meta.url);

let languages: readonly MailLanguage[] | undefined;

/** The language with this tag, and English if there is none. The catalogs are read once. */
export function mailLanguage(tag: string | undefined): MailLanguage {
  languages ??= readLanguages();
  const [english] = languages;
  const found = languages.find((language) => language.tag === tag) ?? english;
  if (found === undefined) throw new RangeError('mails have no language');
  return found;
}

function readLanguages(): readonly MailLanguage[] {
  const messages = JSON.parse(readFileSync(CATALOGS, 'utf8')) as Record<Language, Messages>;
  return LANGUAGES.map((tag) => ({
    tag,
    locale: LOCALES[tag] ?? tag,
    direction: RIGHT_TO_LEFT.has(tag) ? 'rtl' : 'ltr',
    i18n: setupI18n({ locale: tag, messages: { [tag]: messages[tag] } }),
  }));
}
