import { useSignal } from '@preact/signals';
import { ApiError } from './api-error.ts';
import { Cancelled } from './cancelled.ts';
import { errorText, fieldErrorText } from './error-text.ts';

/** An asynchronous action started by the user. */
export interface Action<A extends readonly unknown[]> {
  /** Does nothing while the action runs. */
  readonly run: (...args: A) => Promise<void>;
  readonly isBusy: boolean;
  /** The error of one member of the form, for its field. */
  readonly problemOf: (path: string) => string | undefined;
  /** The error of the last run, unless `problemOf` has given it to a field in this render. */
  readonly otherProblem: () => string | undefined;
}

export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> {
  const busy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const atFields = new Set<string>();
  return {
    run: async (...args) => {
      if (busy.peek()) return;
      busy.value = true;
      error.value = undefined;
      try {
        await act(...args);
      } catch (thrown) {
        if (!(thrown instanceof Cancelled)) error.value = thrown;
      } finally {
        busy.value = false;
      }
    },
    isBusy: busy.value,
    problemOf: (path) => {
      atFields.add(path);
      return fieldErrorText(error.value, path);
    },
    otherProblem: () => {
      if (error.value === undefined || isAtFields(error.value, atFields)) return undefined;
      return errorText(error.value);
    },
  };
}

function isAtFields(error: unknown, shown: ReadonlySet<string>): boolean {
  if (!(error instanceof ApiError) || error.fields.length === 0) return false;
  return error.fields.every(({ path }) => shown.has(path));
}
