import { join } from 'node:path';
import { readCatalog } from '@gatehouse/web/languages/catalog';
import { CATALOG_FOLDERS } from '@gatehouse/web/languages/catalog-folders';
import type { LanguageTag } from '@gatehouse/web/languages/languages';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** All that a reader sees or hears: texts, names of elements, and the title. */
const TEXTS = `(() => {
  const texts = new Set([document.title.split(' · ')[0]]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest('noscript, script')) texts.add(walker.currentNode.data.trim());
  const names = ['aria-label', 'placeholder', 'title', 'alt'];
  for (const element of document.body.querySelectorAll(names.map((name) => '[' + name + ']').join()))
    for (const name of names) texts.add((element.getAttribute(name) ?? '').trim());
  texts.delete('');
  return [...texts];
})()`;

/** The full form of each time, in its text or its tooltip, and what Intl makes of it in the language of the page. */
const TIMES = `[...document.querySelectorAll('time')].map((time) => ({
  shown: time.title || time.textContent.trim(),
  expected: new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'medium' })
    .format(new Date(time.dateTime)),
}))`;

/**
 * Expects a page to be in a language, in its direction, without a text of the catalogs that stayed English, and no wider
 * than the window.
 */
export async function expectLanguage(page: Page, tag: LanguageTag): Promise<void> {
  const html = page.locator('html');
  await expect.poll(() => html.getAttribute('lang')).toBe(tag);
  expect(await html.getAttribute('dir')).toBe(tag === 'ar' ? 'rtl' : 'ltr');
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
  expect(englishOf(await page.evaluate<string[]>(TEXTS), tag), `English at ${page.url()}`).toEqual([]);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow, `${page.url()} overflows`).toBeLessThanOrEqual(0);
}

/** Expects a page in English, from left to right, as its HTML is. */
export async function expectEnglish(page: Page): Promise<void> {
  const html = page.locator('html');
  expect(await html.getAttribute('lang'), page.url()).toBe('en');
  expect(await html.getAttribute('dir'), page.url()).toBe('ltr');
}

/** Expects the full times of the page in the form of its language. There is at least one. */
export async function expectTimes(page: Page): Promise<void> {
  await page.locator('time').first().waitFor();
  const times = await page.evaluate<{ shown: string; expected: string }[]>(TIMES);
  for (const { shown, expected } of times) expect(shown).toBe(expected);
}

/** Shorter parts of sentences may be names or codes. */
const MIN_PART = 12;

/** The texts that are an English message with a translation, or contain a part of one. */
function englishOf(texts: readonly string[], tag: LanguageTag): readonly string[] {
  const translated = CATALOG_FOLDERS.flatMap(({ path }) => [
    ...readCatalog(join(path, 'locales', `${tag}.po`)),
  ]);
  const translations = translated.map(([, text]) => text);
  const english = translated
    .filter(([id, text]) => id !== text && !id.includes(', plural,'))
    .map(([id]) => id);
  const whole = new Set(english.filter((id) => !translations.includes(id)));
  const parts = english
    .flatMap((id) => id.split(/\{\w+\}|<\/?\d+\/?>/))
    .map((part) => part.trim())
    .filter((part) => part.length >= MIN_PART && !translations.some((text) => text.includes(part)));
  return texts.filter((text) => whole.has(text) || parts.some((part) => text.includes(part)));
}
