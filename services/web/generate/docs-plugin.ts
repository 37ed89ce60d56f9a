import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Plugin, runnerImport } from 'vite';
import type { ReadDocs } from './docs-site.ts';
import { GUIDES } from './links.ts';

/** The page whose head all pages of /docs have. */
const TEMPLATE = 'docs.html';
const ROOT = new URL('../../../', import.meta.url);
const RENDERER = fileURLToPath(new URL('render-docs.tsx', import.meta.url));

/** Renders the pages of /docs from the OpenAPI document and the guides, and writes their search index. */
export function docsPlugin(): Plugin {
  return {
    name: 'docs',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const template = bundle[TEMPLATE];
      if (template?.type !== 'asset') throw new Error(`the build has no ${TEMPLATE}`);
      const { module } = await runnerImport<{ readDocs: ReadDocs }>(RENDERER, {
        configFile: false,
        logLevel: 'warn',
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      });
      const site = module.readDocs({
        openapi: JSON.parse(textOf('gateway/openapi.json')),
        asyncapi: JSON.parse(textOf('gateway/asyncapi.json')),
        guides: Object.fromEntries(GUIDES.map(({ name }) => [name, textOf(`docs/${name}.md`)])),
      });
      const index = JSON.stringify(site.search);
      const fileName = `assets/docs-search-${hashOf(index)}.json`;
      this.emitFile({ type: 'asset', fileName, source: index });
      const shell = String(template.source);
      delete bundle[TEMPLATE];
      for (const { path, title, body } of site.render(`/${fileName}`))
        this.emitFile({
          type: 'asset',
          fileName: `${path.slice(1)}.html`,
          source: pageOf(shell, title, body),
        });
    },
  };
}

/** Functions as replacements: in a text, $ would have a meaning. */
function pageOf(shell: string, title: string, body: string): string {
  return shell
    .replace(/<title>.*?<\/title>/, () => `<title>${title} · Gatehouse</title>`)
    .replace(/<body>.*<\/body>/s, () => `<body>\n${body}\n</body>`);
}

function textOf(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}
