import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** The languages of a page, and the file of each: `account.html` is English, `account.de.html` German. */
export type PageFiles = ReadonlyMap<string, string>;

const DEFAULT = 'en';
const VARIANT = /\.([a-z]{2,3})\.html$/;

/** Groups the files of pages: the English file of each, and all its languages. */
export function pageLanguages(files: readonly string[]): ReadonlyMap<string, PageFiles> {
  const pages = new Map<string, Map<string, string>>();
  for (const file of files.filter((name) => name.endsWith('.html'))) {
    const page = file.replace(VARIANT, '.html');
    const languages = pages.get(page) ?? new Map<string, string>();
    pages.set(page, languages.set(VARIANT.exec(file)?.[1] ?? DEFAULT, file));
  }
  return pages;
}

/** The language of the page that the browser prefers (`Accept-Language`); English if it wants none of them. */
export function choosePage(
  files: PageFiles,
  request: FastifyRequest,
): { readonly file: string; readonly headers: Readonly<Record<string, string>> } {
  const available = [DEFAULT, ...[...files.keys()].filter((tag) => tag !== DEFAULT)];
  const tag = new Negotiator(request.raw).language(available) ?? DEFAULT;
  const file = files.get(tag) ?? '';
  return { file, headers: { vary: 'accept-language', 'content-language': tag } };
}
