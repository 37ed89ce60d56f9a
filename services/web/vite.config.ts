import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { docsPlugin } from './generate/docs-plugin.ts';
import { languagesPlugin } from './generate/languages/languages-plugin.ts';
import { compressed, filesBelow, shellPlugin, stylesFirst } from './generate/shell/vite-plugins.ts';

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
