import type { ComponentChildren } from 'preact';
import { GUIDES, operationPath } from '../links.ts';
import type { OpenApi, Operation } from '../openapi.ts';
import { operationTitle } from '../operation-title.ts';

/** What the frame of every page shows. */
export interface Site {
  readonly document: OpenApi;
  readonly operations: readonly Operation[];
  /** The address of the search index. */
  readonly search_index: string;
}

/** The page's place at the edge, and what is in it. */
interface FrameProps {
  readonly site: Site;
  readonly path: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The header, the contents and the main part of a page. The page's script fills in the search and the account. */
export function Frame({ site, path, title, children }: FrameProps) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="bar docs-bar">
        <a class="brand" href="/">
          Gatehouse
        </a>
        <div id="docs-search" data-index={site.search_index} />
        <nav aria-label="Pages" id="docs-pages">
          <a href="/docs">Documentation</a>
          <a href="/developers">Developers</a>
          <a href="/account">Account</a>
        </nav>
      </header>
      <div class="docs">
        <Contents site={site} path={path} />
        <main id="main" tabIndex={-1}>
          <h1>{title}</h1>
          {children}
        </main>
      </div>
    </>
  );
}

function Contents({ site: { document, operations }, path }: { site: Site; path: string }) {
  const item = (target: string, label: string) => (
    <li key={target}>
      <a href={target} {...(target === path && { 'aria-current': 'page' })}>
        {label}
      </a>
    </li>
  );
  return (
    <nav class="contents" aria-label="Documentation">
      <ul>
        {item('/docs', 'Overview')}
        {GUIDES.map(({ name, title }) => item(`/docs/${name}`, title))}
        {item('/docs/gateway-reference', 'Gateway events')}
      </ul>
      <p class="contents-title">Operations</p>
      {document.tags.map(({ name }) => {
        const ofTag = operations.filter(({ tag }) => tag === name);
        const isOpen = ofTag.some(({ operationId }) => operationPath(operationId) === path);
        return (
          <details key={name} open={isOpen}>
            <summary>{name}</summary>
            <ul>
              {ofTag.map(({ operationId }) => item(operationPath(operationId), operationTitle(operationId)))}
            </ul>
          </details>
        );
      })}
    </nav>
  );
}
