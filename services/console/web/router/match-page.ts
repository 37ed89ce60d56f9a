import { CONSOLE_PAGES, type ConsolePage } from './console-pages.ts';

/** The page at a path, and its parameter; '' if it has none. */
export interface MatchedPage {
  readonly page: ConsolePage;
  readonly parameter: string;
}

/** Undefined if there is no page. */
export function matchPage(path: string): MatchedPage | undefined {
  const [first = '', second, ...more] = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  if (more.length > 0) return undefined;
  for (const page of CONSOLE_PAGES) {
    const [name = '', parameter] = page.slice(1).split('/');
    if (name !== first || (parameter === undefined) !== (second === undefined)) continue;
    return { page, parameter: decoded(second ?? '') };
  }
  return undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a broken escape
  }
}
