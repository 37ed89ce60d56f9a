import { errorText } from '@gatehouse/web/shared/api/error-text.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call, withQuery } from './call.ts';

interface Page<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly next?: string | null;
}

/** A list that is loaded page by page. */
export interface Pages<T> {
  /** Undefined until the first page is loaded. */
  readonly items: readonly T[] | undefined;
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly more: () => Promise<void>;
  readonly reload: () => Promise<void>;
}

/**
 * Loads a list of the API, from the start again when the path or a parameter changes. `cursor` is the parameter that
 * takes `next`.
 */
export function usePages<T>(
  path: string,
  parameters: Readonly<Record<string, string>>,
  cursor: 'before' | 'after' = 'before',
): Pages<T> {
  const items = useSignal<readonly T[] | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const isLoading = useSignal(false);
  const next = useSignal<string | undefined>(undefined);
  const newest = useRef(0);
  const address = withQuery(path, parameters);

  const load = async (known: readonly T[], from: string | undefined) => {
    const attempt = ++newest.current;
    isLoading.value = true;
    try {
      const page = await call<Page<T>>('GET', withQuery(path, { ...parameters, [cursor]: from }));
      if (attempt !== newest.current) return;
      items.value = [...known, ...page.items];
      next.value = page.next ?? undefined;
      problem.value = undefined;
    } catch (error) {
      if (attempt === newest.current) problem.value = errorText(error);
    } finally {
      if (attempt === newest.current) isLoading.value = false;
    }
  };
  useEffect(() => {
    items.value = undefined;
    next.value = undefined;
    problem.value = undefined;
    void load([], undefined);
  }, [address]);
  return {
    items: items.value,
    problem: problem.value,
    isLoading: isLoading.value,
    hasMore: next.value !== undefined,
    more: async () => {
      if (!isLoading.peek()) await load(items.peek() ?? [], next.peek());
    },
    reload: () => load([], undefined),
  };
}
