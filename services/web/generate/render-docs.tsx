import type { ComponentChildren } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import type { DocsPage, ReadDocs } from './docs-site.ts';
import { examplesOf } from './examples/examples.ts';
import { GUIDES, operationPath, servedTarget } from './links.ts';
import { renderMarkdown } from './markdown.ts';
import { operationsOf } from './openapi.ts';
import { operationTitle } from './operation-title.ts';
import { Frame, type Site } from './pages/frame.tsx';
import { GatewayPage } from './pages/gateway-page.tsx';
import { GuidePage } from './pages/guide-page.tsx';
import { OperationPage } from './pages/operation-page.tsx';
import { OverviewPage } from './pages/overview-page.tsx';
import { searchEntries } from './search-entries.ts';

export const readDocs: ReadDocs = ({ openapi, asyncapi, guides }) => {
  const operations = operationsOf(openapi);
  const pages = GUIDES.map((guide) => {
    const markdown = guides[guide.name];
    if (markdown === undefined) throw new Error(`docs/${guide.name}.md is missing`);
    return { guide, page: renderMarkdown(markdown, servedTarget) };
  });
  const error_codes = codesIn(pages.find(({ guide }) => guide.name === 'errors')?.page.html ?? '');
  const render = (search_index: string): DocsPage[] => {
    const site: Site = { document: openapi, operations, search_index };
    const pageOf = (
      { path, title, part }: { path: string; title: string; part?: string },
      content: ComponentChildren,
    ): DocsPage => ({
      path,
      title,
      body: renderToStaticMarkup(
        <Frame site={site} path={path} title={title} part={part}>
          {content}
        </Frame>,
      ),
    });
    return [
      pageOf({ path: '/docs', title: 'Documentation' }, <OverviewPage site={site} />),
      ...pages.map(({ guide, page }) =>
        pageOf(
          { path: `/docs/${guide.name}`, title: page.title || guide.title, part: 'Guides' },
          <GuidePage page={page} />,
        ),
      ),
      pageOf(
        { path: '/docs/gateway-reference', title: 'Gateway events', part: 'Reference' },
        <GatewayPage document={asyncapi} />,
      ),
      ...operations.map((operation) =>
        pageOf(
          {
            path: operationPath(operation.operationId),
            title: operationTitle(operation.operationId),
            part: operation.tag,
          },
          <OperationPage
            document={openapi}
            operation={operation}
            examples={examplesOf(operation)}
            error_codes={error_codes}
          />,
        ),
      ),
    ];
  };
  return { search: searchEntries(operations, pages, asyncapi), render };
};

/** The codes that have an anchor in the guide to errors. */
function codesIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/<a id="([A-Z]\w+)">/g)].map(([, code = '']) => code));
}
