import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setupI18n } from '@lingui/core';
import type { Plugin, Rolldown } from 'vite';
import { LANGUAGES, type Language } from '../../src/shared/i18n/languages.ts';
import { shellTexts } from '../shell/shell.ts';
import { compileCatalog, hashedName } from './page-catalogs.ts';

const SHELL = fileURLToPath(new URL('../shell/shell.ts', import.meta.url));

/**
 * Writes each page in each language: `account.html` is English, `account.de.html` German. A page has the addresses of
 * its texts, a JSON file for each language, with the messages of the modules that the page can load. The pages of /docs
 * and /dev are English only.
 */
export function languagesPlugin(pagesFolder: string): Plugin {
  return {
    name: 'languages',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.keys(bundle).filter((name) => name.endsWith('.html'))) {
        const page = bundle[file];
        if (page?.type !== 'asset') continue;
        const english = String(page.source);
        const modules = modulesOf(this, join(pagesFolder, file));
        const texts = LANGUAGES.filter(({ tag }) => tag === 'en' || isTranslated(file)).map((language) => {
          const source = JSON.stringify(compileCatalog(language.tag, modules));
          const fileName = hashedName(source);
          this.emitFile({ type: 'asset', fileName, source });
          return { language, address: `/${fileName}` };
        });
        const head = texts.map(
          ({ language, address }) => `<meta name="texts" lang="${language.tag}" content="${address}">`,
        );
        const hasScript = english.includes('<script');
        for (const { language, address } of texts) {
          const preload = `<link rel="preload" as="fetch" crossorigin href="${address}">`;
          const added = hasScript ? [...head, preload] : [];
          const source = translated(english, language).replace('</title>', () =>
            ['</title>', ...added].join('\n    '),
          );
          if (language.tag === 'en') page.source = source;
          else this.emitFile({ type: 'asset', fileName: variantOf(file, language), source });
        }
      }
    },
  };
}

function isTranslated(file: string): boolean {
  return file !== 'docs.html' && !file.startsWith('dev/');
}

function variantOf(file: string, { tag }: Language): string {
  return file.replace(/\.html$/, `.${tag}.html`);
}

/** All modules that a page can load. */
function modulesOf(context: Rolldown.PluginContext, page: string): readonly string[] {
  const reached = new Set([page]);
  for (const id of reached) {
    const info = context.getModuleInfo(id);
    for (const next of [...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? [])])
      reached.add(next);
  }
  return [...reached];
}

/** The HTML with the title and the texts of the shell in the language. */
function translated(html: string, language: Language): string {
  const { tag, direction } = language;
  const i18n = setupI18n({
    locale: tag,
    messages: { [tag]: compileCatalog(tag, [SHELL]) },
    missing: (_, id) => id,
  });
  const texts = shellTexts(i18n);
  const page = html.replace(/<html lang="en"( dir="ltr")?/, `<html lang="${tag}" dir="${direction}"`);
  return [...texts].reduce(
    (all, [english, text]) =>
      all
        .replaceAll(`>${english}<`, () => `>${text}<`)
        .replace(`<title>${english} ·`, () => `<title>${text} ·`),
    page,
  );
}
