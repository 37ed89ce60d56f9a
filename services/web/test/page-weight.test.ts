import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const KIB = 1024;
/** Gzipped scripts and texts of a page. */
const MAX_BYTES = 80 * KIB;
const MAX_BYTES_OF_GUILDS = 120 * KIB;

/** Addresses in the files that nothing is loaded from: names of formats, and examples in texts and the documentation. */
const LOADED_FROM_OUTSIDE =
  /<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?\/\/|@import\s+(?:url\()?["']?(?:https?:)?\/\/|url\(["']?(?:https?:)?\/\//;

const files = readdirSync(DIST, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
  .map(({ parentPath, name }) => join(parentPath, name));
const pages = files.filter((file) => file.endsWith('.html')).map((file) => relative(DIST, file));
/** The pages of /docs have one script. */
const distinct = pages.filter((page) => !/^docs\/./.test(page));

describe('the files of the web app', () => {
  it.each(distinct)('%s loads less script than the bound, with every part that it can load', (page) => {
    const bytes = scriptsOf(join(DIST, page)).map((file) => statSync(`${file}.gz`).size);
    const sum = bytes.reduce((all, one) => all + one, 0);
    expect(sum).toBeLessThan(page.startsWith('guilds') ? MAX_BYTES_OF_GUILDS : MAX_BYTES);
  });

  it('load nothing from other hosts', () => {
    const text = files.filter((file) => /\.(html|css)$/.test(file));
    const found = text.filter((file) => LOADED_FROM_OUTSIDE.test(readFileSync(file, 'utf8')));
    expect(found.map((file) => relative(DIST, file))).toEqual([]);
  });
});

/** The scripts of a page with all that they import, at once or later, and its preloaded texts. */
function scriptsOf(page: string): readonly string[] {
  const html = readFileSync(page, 'utf8');
  const first = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|json))"/g)].map(([, path = '']) =>
    join(DIST, path),
  );
  const reached = new Set(first);
  for (const file of reached) {
    if (!file.endsWith('.js')) continue;
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /["'`](?:\.\/|\/?assets\/)([\w.-]+\.js)["'`]/g,
    ))
      reached.add(join(dirname(file), name));
  }
  return [...reached];
}
