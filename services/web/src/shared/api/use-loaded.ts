import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { errorText } from './error-text.ts';
import { retryLater } from './retry-later.ts';

/** A value that a page loads. */
export interface Loaded<T> {
  /** Undefined until it is loaded. */
  readonly value: T | undefined;
  readonly problem: string | undefined;
  /** Loads it again. The old value stays until then. */
  readonly reload: () => Promise<void>;
  /** Replaces the value by one from another source. */
  readonly replace: (value: T) => void;
}

/**
 * Loads a value, again when a dependency changes. Drops late responses of earlier loads. While the server is away, it tries
 * again by itself.
 */
export function useLoaded<T>(load: () => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const value = useSignal<T | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const newest = useRef(0);
  const failures = useRef(0);
  const reload = useCallback(async () => {
    const attempt = ++newest.current;
    try {
      const found = await load();
      if (attempt !== newest.current) return;
      value.value = found;
      problem.value = undefined;
      failures.current = 0;
    } catch (error) {
      if (attempt !== newest.current) return;
      problem.value = errorText(error);
      retryLater(error, failures.current++, () => attempt === newest.current && void reload());
    }
  }, dependencies);
  useEffect(() => {
    value.value = undefined;
    problem.value = undefined;
    failures.current = 0;
    void reload();
    return () => {
      newest.current += 1; // ends a load and its attempts
    };
  }, [reload]);
  return {
    value: value.value,
    problem: problem.value,
    reload,
    replace: (found) => {
      newest.current += 1;
      value.value = found;
      problem.value = undefined;
    },
  };
}
