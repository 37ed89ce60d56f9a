import { useSignal } from '@preact/signals';
import { Cancelled } from './cancelled.ts';
import { fieldInWords, inWords } from './in-words.ts';

/** Something that a person starts and that takes a moment. */
export interface Action<A extends readonly unknown[]> {
  /** Does nothing while it runs. */
  readonly run: (...args: A) => Promise<void>;
  readonly is_busy: boolean;
  /** What went wrong the last time. */
  readonly problem: string | undefined;
  /** What is wrong with one member of the form. */
  readonly problemOf: (path: string) => string | undefined;
}

export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> {
  const busy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  return {
    run: async (...args) => {
      if (busy.peek()) return;
      busy.value = true;
      error.value = undefined;
      try {
        await act(...args);
      } catch (problem) {
        if (!(problem instanceof Cancelled)) error.value = problem;
      } finally {
        busy.value = false;
      }
    },
    is_busy: busy.value,
    problem: error.value === undefined ? undefined : inWords(error.value),
    problemOf: (path) => fieldInWords(error.value, path),
  };
}
