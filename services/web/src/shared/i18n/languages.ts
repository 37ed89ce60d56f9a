/** A language of the pages and mails. */
export interface Language {
  /** Its BCP 47 tag. */
  readonly tag: string;
  /** Its name in itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

/** A new language is a row here, and a catalog in each folder (README.md#languages). The first one is the default. */
export const LANGUAGES = [
  { tag: 'en', name: 'English', direction: 'ltr' },
  { tag: 'de', name: 'Deutsch', direction: 'ltr' },
  { tag: 'ar', name: 'العربية', direction: 'rtl' },
] as const satisfies readonly Language[];

export type LanguageTag = (typeof LANGUAGES)[number]['tag'];

export function languageOf(tag: LanguageTag): Language {
  return LANGUAGES.find((language) => language.tag === tag) ?? LANGUAGES[0];
}

/** The first of the wanted tags that there is: `de-AT` is `de`. Undefined if there is none. */
export function findLanguage(wanted: readonly string[]): LanguageTag | undefined {
  const primary = wanted.map((tag) => tag.toLowerCase().split('-')[0]);
  return primary.flatMap((tag) => LANGUAGES.filter((language) => language.tag === tag))[0]?.tag;
}
