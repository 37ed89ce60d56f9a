import type { Messages } from '@lingui/core';
import { signal } from '@preact/signals';
import { i18n } from './i18n.ts';
import { findLanguage, type LanguageTag, languageOf } from './languages.ts';

/** Where the reader's choice is kept: a language tag. */
const KEY = 'gatehouse.language';

/** The language of this page. */
export const language = signal<LanguageTag>('en');

/**
 * The language to begin with: that of the link (`ui_locales`), else the reader's choice, else that of the HTML, which
 * the edge chose by `Accept-Language`.
 */
export function firstLanguage({
  ui_locales,
  chosen,
  html,
}: {
  readonly ui_locales: string | null;
  readonly chosen: string | null;
  readonly html: string;
}): LanguageTag {
  const wanted = [...(ui_locales ?? '').split(/\s+/).slice(0, MOST_LOCALES), chosen ?? '', html];
  return findLanguage(wanted) ?? 'en';
}

/** Of `ui_locales`, which is a text of a link. */
const MOST_LOCALES = 20;

/** Loads the texts of the page's language, before the first render. */
export function startLanguage(): Promise<void> {
  const html = document.documentElement.lang;
  if (isEnglishOnly()) return use('en');
  const first = firstLanguage({ ui_locales: linkLocales(), chosen: readChoice(), html });
  // The browser warns of a preload that nobody takes.
  if (first !== html) void loadTexts(html);
  return use(first);
}

/**
 * Changes the language of the page, and remembers it for the next ones. Components are mounted anew. Keeps the language
 * if the link names one, or if the page is English only.
 */
export async function setLanguage(tag: string): Promise<void> {
  const found = findLanguage([tag]);
  if (found === undefined) return;
  storeChoice(found);
  if (found === language.peek() || isEnglishOnly()) return;
  if (findLanguage((linkLocales() ?? '').split(/\s+/)) === undefined) await use(found);
}

/** The pages of /docs and /dev have no texts in other languages. */
function isEnglishOnly(): boolean {
  return document.head.querySelector('meta[name="texts"]:not([lang="en"])') === null;
}

async function use(tag: LanguageTag): Promise<void> {
  const messages = await loadTexts(tag);
  i18n.loadAndActivate({ locale: tag, messages });
  document.documentElement.lang = tag;
  document.documentElement.dir = languageOf(tag).direction;
  language.value = tag;
}

/** Without them the page is in English. The preload of the HTML has the same credentials mode. */
async function loadTexts(tag: string): Promise<Messages> {
  const address = document.head.querySelector(`meta[name="texts"][lang="${tag}"]`)?.getAttribute('content');
  if (!address) return {};
  try {
    const response = await fetch(address, { credentials: 'same-origin' });
    return response.ok ? ((await response.json()) as Messages) : {};
  } catch {
    return {};
  }
}

/** `ui_locales` of a link to the consent page (OpenID Connect Core §3.1.2.1). */
function linkLocales(): string | null {
  return location.pathname === '/oauth2/authorize'
    ? new URLSearchParams(location.search).get('ui_locales')
    : null;
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // blocked
  }
}

function storeChoice(tag: LanguageTag): void {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // blocked: the choice lasts as long as its page
  }
}
