import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { docsPlugin } from './generate/docs-plugin.ts';
import { languagesPlugin } from './generate/languages/languages-plugin.ts';
import { shell } from './generate/shell/shell.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * One file for the modules of at least three pages. By default each set of pages that share modules has a file of its
 * own: the account page had 28, whose requests delayed the first paint.
 */
const SHARED = { name: 'shared', minShareCount: 3 };

/** `dist` has each page under its path at the edge: `oauth2/authorize.html` is /oauth2/authorize. */
export default defineConfig({
  root: here('pages'),
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    // The polyfill would add a script to each page, for browsers that the app does not support.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: filesBelow(here('pages')),
      output: { codeSplitting: { groups: [SHARED] } },
      checks: { pluginTimings: false },
    },
  },
  plugins: [
    shellPlugin(),
    stylesFirst(),
    languagesPlugin(here('pages')),
    docsPlugin(),
    compressed(here('dist')),
  ],
});

/** Puts the title and the script of each page into the shell. */
function shellPlugin(): Plugin {
  return {
    name: 'shell',
    transformIndexHtml: {
      order: 'pre',
      handler: (page, { filename }) => {
        const shared = relative(dirname(filename), here('src/shared'));
        return shell(page, { icon: `${shared}/icon.svg`, style: `${shared}/style.css` });
      },
    },
  };
}

/** Moves the stylesheets in front of the scripts, which Vite puts first: the first paint needs only the stylesheets. */
function stylesFirst(): Plugin {
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
function compressed(folder: string): Plugin {
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

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
