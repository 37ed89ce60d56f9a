import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { shell } from './shell.ts';

const SHARED = fileURLToPath(new URL('../../src/shared', import.meta.url));

/** Puts the title and the script of each page into the shell. */
export function shellPlugin(): Plugin {
  return {
    name: 'shell',
    transformIndexHtml: {
      order: 'pre',
      handler: (page, { filename }) => {
        const shared = relative(dirname(filename), SHARED);
        return shell(page, { icon: `${shared}/icon.svg`, style: `${shared}/style.css` });
      },
    },
  };
}

/** Moves the stylesheets in front of the scripts, which Vite puts first: the first paint needs only the stylesheets. */
export function stylesFirst(): Plugin {
  return {
    name: 'styles-first',
    transformIndexHtml: {
      order: 'post',
      handler: (page) => {
        const links = page.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
        const others = links.reduce((rest, link) => rest.replace(link, ''), page);
        return others.replace(/^ *<title>/m, (title) => `${links.join('')}${title}`);
      },
    },
  };
}

/** Of Brotli's 11 levels. There are over a hundred pages: level 11 would take ten times as long, for an eighth less. */
const PAGE_QUALITY = 9;

/** Writes compressed variants of each file. The edge sends the smallest one that the browser accepts. */
export function compressed(folder: string): Plugin {
  return {
    name: 'compressed',
    closeBundle() {
      for (const file of filesBelow(folder)) {
        const bytes = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: file.endsWith('.html') ? PAGE_QUALITY : 11 };
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** The files below a folder, as paths. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
