import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { docsPlugin } from './generate/docs-plugin.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

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
    rolldownOptions: { input: filesBelow(here('pages')), checks: { pluginTimings: false } },
  },
  plugins: [shell(), docsPlugin(), compressed(here('dist'))],
});

/** The HTML around the title and the script of each page. */
function shell(): Plugin {
  return {
    name: 'shell',
    transformIndexHtml: {
      order: 'pre',
      handler: (page, { filename }) => {
        const shared = relative(dirname(filename), here('src/shared'));
        return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="${shared}/icon.svg" />
    <link rel="stylesheet" href="${shared}/style.css" />
    ${page.trim()}
  </head>
  <body>
    <div id="app">
      <header class="bar"><a class="brand" href="/">Gatehouse</a></header>
      <main><p class="loading">Loading…</p></main>
    </div>
    <noscript><p class="notice problem">This page needs JavaScript.</p></noscript>
  </body>
</html>
`;
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
