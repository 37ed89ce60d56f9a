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
  /** The part of the documentation that has the page. Undefined for the start page. */
  readonly part?: string | undefined;
  readonly children: ComponentChildren;
}

/** The header, the contents and the main part of a page. The page's script fills in the search and the account. */
export function Frame({ site, path, title, part, children }: FrameProps) {
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
          <GuideMenu path={path} />
          {part !== undefined && (
            <p class="place">
              <a href="/docs">Documentation</a> › {part}
            </p>
          )}
          <h1>{title}</h1>
          {children}
        </main>
      </div>
    </>
  );
}

/** The guides, for windows that have no room for the contents beside the page. */
function GuideMenu({ path }: { path: string }) {
  return (
    <details class="guide-menu">
      <summary>Guides and reference</summary>
      <nav aria-label="Guides">
        <GuideList path={path} />
      </nav>
    </details>
  );
}

function GuideList({ path }: { path: string }) {
  return (
    <ul>
      <Item target="/docs" label="Overview" path={path} />
      {GUIDES.map(({ name, title }) => (
        <Item key={name} target={`/docs/${name}`} label={title} path={path} />
      ))}
      <Item target="/docs/gateway-reference" label="Gateway events" path={path} />
    </ul>
  );
}

function Item({ target, label, path }: { target: string; label: string; path: string }) {
  return (
    <li>
      <a href={target} {...(target === path && { 'aria-current': 'page' })}>
        {label}
      </a>
    </li>
  );
}

function Contents({ site: { document, operations }, path }: { site: Site; path: string }) {
  return (
    <nav class="contents" aria-label="Documentation">
      <GuideList path={path} />
      <p class="contents-title">Operations</p>
      {document.tags.map(({ name }) => {
        const ofTag = operations.filter(({ tag }) => tag === name);
        const isOpen = ofTag.some(({ operationId }) => operationPath(operationId) === path);
        return (
          <details key={name} open={isOpen}>
            <summary>{name}</summary>
            <ul>
              {ofTag.map(({ operationId }) => (
                <Item
                  key={operationId}
                  target={operationPath(operationId)}
                  label={operationTitle(operationId)}
                  path={path}
                />
              ))}
            </ul>
          </details>
        );
      })}
    </nav>
  );
}
