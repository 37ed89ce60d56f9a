import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { errorText } from './error-text.ts';

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

/** Loads a value, again when a dependency changes. Drops late responses of earlier loads. */
export function useLoaded<T>(load: () => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const value = useSignal<T | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const newest = useRef(0);
  const reload = useCallback(async () => {
    const attempt = ++newest.current;
    try {
      const found = await load();
      if (attempt !== newest.current) return;
      value.value = found;
      problem.value = undefined;
    } catch (error) {
      if (attempt === newest.current) problem.value = errorText(error);
    }
  }, dependencies);
  useEffect(() => {
    value.value = undefined;
    problem.value = undefined;
    void reload();
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
