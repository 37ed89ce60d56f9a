/** The languages of pages and mails. The first one is for people whose language is not among them. */
export const LANGUAGES = ['en', 'de', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language for mail to an account: its own, else the best match for the client that causes the mail. */
export function languageOfMail(locale: string | null, accept_language: string | null | undefined): Language {
  return spokenLanguage(locale ?? '') ?? acceptedLanguage(accept_language) ?? LANGUAGES[0];
}

/** The best match of an Accept-Language header; null if none of our languages is acceptable (RFC 9110 §12.5.4). */
export function acceptedLanguage(accept_language: string | null | undefined): Language | null {
  const ranges = (accept_language ?? '')
    .split(',', MAX_RANGES)
    .map(readRange)
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  for (const { tag } of ranges) {
    const language = spokenLanguage(tag);
    if (language !== null) return language;
  }
  return null;
}

/** RFC 4647 §3.4: `de-CH` gets `de`. */
function spokenLanguage(tag: string): Language | null {
  const primary = tag.split('-', 1)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}

const MAX_RANGES = 20;

function readRange(text: string): { readonly tag: string; readonly quality: number } {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter));
  // A malformed weight is not a number, and counts as 0.
  return { tag, quality: weight === undefined ? 1 : Number(weight.slice(2)) };
}
