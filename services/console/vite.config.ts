import { fileURLToPath } from 'node:url';
import { compileCatalog } from '@gatehouse/web/languages/page-catalogs';
import { sourcesBelow } from '@gatehouse/web/languages/source-messages';
import { compressed, filesBelow, shellPlugin, stylesFirst } from '@gatehouse/web/vite-plugins';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `dist` has one page, which the server sends for every path of web/router/console-pages.ts. */
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
    // The polyfill would add a script to each page, for browsers that the console does not support.
    modulePreload: { polyfill: false },
    rolldownOptions: { input: filesBelow(here('pages')), checks: { pluginTimings: false } },
  },
  plugins: [shellPlugin(), stylesFirst(), sharedTexts(), compressed(here('dist'))],
});

const SHARED_TEXTS = 'virtual:shared-texts';

/** The English texts of the components that the console shares with the web app, compiled. */
function sharedTexts(): Plugin {
  return {
    name: 'shared-texts',
    resolveId: (id) => (id === SHARED_TEXTS ? `\0${SHARED_TEXTS}` : undefined),
    load: (id) => {
      if (id !== `\0${SHARED_TEXTS}`) return undefined;
      const texts = compileCatalog('en', sourcesBelow(here('../web/src/shared'), []));
      return `export const sharedTexts = ${JSON.stringify(texts)};`;
    },
  };
}
