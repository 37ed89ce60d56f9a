import type { SearchEntry } from '../src/docs/search-entry.ts';
import type { AsyncApi } from './asyncapi.ts';
import { type Guide, operationPath } from './links.ts';
import { type MarkdownPage, plainText } from './markdown.ts';
import type { Operation } from './openapi.ts';
import { operationTitle } from './operation-title.ts';

/** The search index: each operation, each frame of the Gateway, and each section of a guide. */
export function searchEntries(
  operations: readonly Operation[],
  guides: readonly { readonly guide: Guide; readonly page: MarkdownPage }[],
  gateway: AsyncApi,
): SearchEntry[] {
  const ofOperations = operations.map((operation): SearchEntry => {
    const { operationId, method, path, tag, description = operation.summary } = operation;
    return {
      title: operationTitle(operationId),
      where: `${method} ${path}`,
      url: operationPath(operationId),
      words: wordsOf(`${operationId} ${tag} ${path} ${plainText(description)}`),
    };
  });
  const ofGuides = guides.flatMap(({ guide, page }) =>
    page.sections.map(({ id, title, text }): SearchEntry => {
      return {
        title: title || guide.title,
        where: title ? guide.title : 'Guide',
        url: `/docs/${guide.name}${id && `#${id}`}`,
        words: wordsOf(text),
      };
    }),
  );
  const ofFrames = Object.values(gateway.components.messages).map((frame): SearchEntry => {
    const { name, summary, payload } = frame;
    return {
      title: name,
      where: 'Gateway events',
      url: `/docs/gateway-reference#${name}`,
      words: wordsOf(plainText(payload.description ?? summary)),
    };
  });
  return [...ofOperations, ...ofFrames, ...ofGuides];
}

/** Each word once, in lower case. */
function wordsOf(text: string): string {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])].join(' ');
}
