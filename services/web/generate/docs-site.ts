import type { SearchEntry } from '../src/docs/search-entry.ts';
import type { AsyncApi } from './asyncapi.ts';
import type { OpenApi } from './openapi.ts';

/** What the pages of /docs are made from. */
export interface DocsSources {
  readonly openapi: OpenApi;
  readonly asyncapi: AsyncApi;
  /** The Markdown of each guide, by its name. */
  readonly guides: Readonly<Record<string, string>>;
}

/** A page of /docs: what its body contains. */
export interface DocsPage {
  /** Its path at the edge, such as /docs/errors. */
  readonly path: string;
  readonly title: string;
  readonly body: string;
}

export interface DocsSite {
  readonly search: readonly SearchEntry[];
  /** Renders the pages, once the address of the search index is known. */
  render(search_index: string): DocsPage[];
}

/** @throws Error if a guide or a schema is missing */
export type ReadDocs = (sources: DocsSources) => DocsSite;
