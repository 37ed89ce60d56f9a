import { errorText } from '@gatehouse/web/shared/api/error-text.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, withQuery } from '../api/call.ts';

/** Something that a search has found, and its page. */
export interface Found {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly href: string;
}

export interface Search {
  /** Undefined until the answer for the current text is there. */
  readonly found: readonly Found[] | undefined;
  readonly problem: string | undefined;
  /** Services that did not answer: their things are missing. */
  readonly unavailable: readonly string[];
}

/** The pause after the last key. */
const PAUSE_MS = 150;

/** Searches for a text while somebody types it; drops late answers. */
export function useSearch(text: string): Search {
  const state = useSignal<Search>({ found: undefined, problem: undefined, unavailable: [] });
  useEffect(() => {
    state.value = { found: undefined, problem: undefined, unavailable: [] };
    if (text === '') return undefined;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const answer = await search(text);
      if (isCurrent) state.value = answer;
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return state.value;
}

async function search(q: string): Promise<Search> {
  try {
    const path = withQuery('/search', { q });
    const { results, unavailable } = await call<{ results: Found[]; unavailable?: string[] }>('GET', path);
    // Only paths of the console.
    const found = results.filter(({ href }) => /^\/(?!\/)/.test(href));
    return { found, problem: undefined, unavailable: unavailable ?? [] };
  } catch (error) {
    return { found: undefined, problem: errorText(error), unavailable: [] };
  }
}
