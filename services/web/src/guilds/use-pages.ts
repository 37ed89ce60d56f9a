import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { errorText } from '../shared/api/error-text.ts';

/** A list that is loaded page by page. */
export interface Pages<T> {
  /** Undefined until the first page is loaded. */
  readonly items: readonly T[] | undefined;
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** Loads the next page. Does nothing while a page is loaded. */
  readonly more: () => Promise<void>;
  readonly change: (changed: (items: readonly T[]) => readonly T[]) => void;
}

/**
 * Loads a list page by page, from the start again when `key` changes; the old items stay until the new ones are there.
 * `load` gets the last item of the page before. A page with fewer than `size` items is the last one.
 */
export function usePages<T>(
  key: string,
  size: number,
  load: (last: T | undefined) => Promise<readonly T[]>,
): Pages<T> {
  const items = useSignal<readonly T[] | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const isLoading = useSignal(false);
  const hasMore = useSignal(false);
  const newest = useRef(0);
  /** Whether the shown items are those of the current key. */
  const isCurrent = useRef(false);

  const loadAfter = async (known: readonly T[]) => {
    const attempt = ++newest.current;
    isLoading.value = true;
    try {
      const page = await load(known.at(-1));
      if (attempt !== newest.current) return;
      isCurrent.current = true;
      items.value = [...known, ...page];
      hasMore.value = page.length === size;
      problem.value = undefined;
    } catch (error) {
      if (attempt === newest.current) problem.value = errorText(error);
    } finally {
      if (attempt === newest.current) isLoading.value = false;
    }
  };
  useEffect(() => {
    isCurrent.current = false;
    void loadAfter([]);
  }, [key]);
  return {
    items: items.value,
    problem: problem.value,
    isLoading: isLoading.value,
    hasMore: hasMore.value,
    more: async () => {
      if (!isLoading.peek()) await loadAfter(isCurrent.current ? (items.peek() ?? []) : []);
    },
    change: (changed) => {
      if (items.value) items.value = changed(items.value);
    },
  };
}
