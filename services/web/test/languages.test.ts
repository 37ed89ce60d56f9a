import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import { readCatalog } from '../generate/languages/catalog.ts';
import { CATALOG_FOLDERS } from '../generate/languages/catalog-folders.ts';
import { findTexts } from '../generate/languages/find-texts.ts';
import { sourceMessages, sourcesBelow } from '../generate/languages/source-messages.ts';
import { LANGUAGES } from '../src/shared/i18n/languages.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const REMEDY = 'run `npm run languages` and translate what it lists (services/web/README.md#languages)';

/** The pages of these are English (docs/web.md#languages-and-branding). */
const ENGLISH = ['docs', 'dev'];
/** What senders of webhooks send. */
const PAYLOADS = 'guilds/webhooks/example-payloads.ts';

/** Words in place of which the glossary has another (docs/glossary.md#german-and-arabic). */
const AVOIDED: Readonly<Record<string, RegExp>> = {
  de: /Authenticator-App|Gruppen-DM|Impressum|\b(?:du|dein|deine|dich|dir)\b/,
  ar: /يُرجى|الاسم الظاهر|الـ\S|[“”\u0660-\u0669]/,
};

const folders = CATALOG_FOLDERS.map((folder) => ({ ...folder, name: relative(PACKAGE, folder.path) }));
const translated = LANGUAGES.filter(({ tag }) => tag !== 'en');

describe.each(folders)('the catalogs of $name', ({ path, others }) => {
  const used = sourceMessages(path, others);
  const ids = [...new Set(used.map(({ id }) => id))].sort();

  it.each(translated)('have the messages of the code, translated, in $name', ({ tag }) => {
    const catalog = readCatalog(join(path, 'locales', `${tag}.po`));
    expect([...catalog.keys()].sort(), REMEDY).toEqual(ids);
    expect(
      [...catalog].filter(([, text]) => text === '').map(([id]) => id),
      REMEDY,
    ).toEqual([]);
  });

  it.each(translated)('keep placeholders, elements and plural forms in $name', ({ tag }) => {
    const catalog = readCatalog(join(path, 'locales', `${tag}.po`));
    for (const [id, text] of catalog) {
      expect(argumentsOf(text), text).toEqual(argumentsOf(id));
      expect(elementsOf(text), text).toEqual(elementsOf(id));
      for (const forms of pluralsOf(text)) expect(missingForms(forms, tag), text).toEqual([]);
    }
  });

  it.each(translated)('have the words of the glossary in $name', ({ tag }) => {
    const texts = [...readCatalog(join(path, 'locales', `${tag}.po`)).values()];
    expect(texts.filter((text) => AVOIDED[tag]?.test(text))).toEqual([]);
  });

  it('read no text when a module is loaded', () => {
    expect(used.filter(({ isEarly }) => isEarly).map(({ place }) => place)).toEqual([]);
  });
});

it('has no text in components outside the catalogs', () => {
  const others = ENGLISH.map((name) => join(SRC, name));
  const sources = sourcesBelow(SRC, others).filter((path) => relative(SRC, path) !== PAYLOADS);
  const found = sources.flatMap((path) =>
    findTexts(path).map(({ line, text }) => `${relative(SRC, path)}:${line} ${text}`),
  );
  expect(found, 'write i18n._(…) or <Trans>').toEqual([]);
});

it('has the title of each page in the languages', () => {
  const titles = new Set(sourceMessages(join(PACKAGE, 'generate/shell'), []).map(({ id }) => id));
  const pages = readdirSync(join(PACKAGE, 'pages'), { recursive: true, encoding: 'utf8' }).filter(
    (page) => page.endsWith('.html') && !ENGLISH.some((folder) => page.startsWith(folder)),
  );
  const found = pages.map(
    (page) => /<title>(.*?) · /.exec(readFileSync(join(PACKAGE, 'pages', page), 'utf8'))?.[1],
  );
  expect(
    found.filter((title) => !titles.has(title ?? '')),
    'add it to generate/shell/shell.ts',
  ).toEqual([]);
});

type Token = ReturnType<typeof compileMessageOrThrow>[number];

function tokensOf(message: string): readonly Token[] {
  return compileMessageOrThrow(message).flatMap(withInner);
}

function withInner(token: Token): readonly Token[] {
  if (!Array.isArray(token) || typeof token[2] !== 'object') return [token];
  const inner = Object.values(token[2] ?? {}).filter(
    Array.isArray,
  ) as unknown as readonly (readonly Token[])[];
  return [token, ...inner.flat().flatMap(withInner)];
}

/** The names and kinds of the arguments: a plural of another language may repeat one. */
function argumentsOf(message: string): readonly string[] {
  const found = tokensOf(message).filter(Array.isArray);
  return [...new Set(found.map(([name, kind = '']) => `${name} ${kind}`))].sort();
}

function elementsOf(message: string): readonly string[] {
  return [...new Set(message.match(/<\/?\d+\/?>/g) ?? [])].sort();
}

function pluralsOf(message: string): readonly object[] {
  return tokensOf(message).flatMap((token) =>
    Array.isArray(token) && token[1] === 'plural' && typeof token[2] === 'object' ? [token[2] ?? {}] : [],
  );
}

function missingForms(forms: object, tag: string): readonly string[] {
  return new Intl.PluralRules(tag)
    .resolvedOptions()
    .pluralCategories.filter((category) => !Object.hasOwn(forms, category));
}
