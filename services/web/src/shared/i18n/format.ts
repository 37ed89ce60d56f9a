import { i18n } from './i18n.ts';

/** A date in the language of the page: "Nov 28, 2026". */
export function formatDate(time: Date): string {
  return new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium' }).format(time);
}

/** A date with the time of day. */
export function formatTime(time: Date): string {
  return new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(time);
}

export function formatNumber(number: number): string {
  return new Intl.NumberFormat(i18n.locale).format(number);
}

/** Texts as a list: "a, b and c". */
export function formatList(texts: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale).format(texts);
}
