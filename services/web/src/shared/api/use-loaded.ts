import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { inWords } from './in-words.ts';

/** Something that a page shows once it is there. */
export interface Loaded<T> {
  /** Undefined: not there yet. */
  readonly value: T | undefined;
  readonly problem: string | undefined;
  /** Loads it again; the old value stays until then. */
  readonly reload: () => Promise<void>;
  /** Takes a value that is known by other means. */
  readonly set: (value: T) => void;
}

/** Loads again when a dependency changes; an answer that comes too late is dropped. */
export function useLoaded<T>(load: () => Promise<T>, dependencies: readonly unknown[]): Loaded<T> {
  const value = useSignal<T | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const newest = useRef(0);
  const reload = useCallback(async () => {
    const turn = ++newest.current;
    try {
      const found = await load();
      if (turn !== newest.current) return;
      value.value = found;
      problem.value = undefined;
    } catch (error) {
      if (turn === newest.current) problem.value = inWords(error);
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
    set: (found) => {
      newest.current += 1;
      value.value = found;
      problem.value = undefined;
    },
  };
}
