import type { ComponentChildren } from 'preact';
import type { Loaded } from './api/use-loaded.ts';
import { Problem } from './ui.tsx';

/** Renders a value once it is loaded, and before that a loading text, or the error with a button to retry. */
export function WhenLoaded<T>(props: {
  loaded: Pick<Loaded<T>, 'value' | 'problem' | 'reload'>;
  children: (value: T) => ComponentChildren;
}) {
  const { loaded, children } = props;
  return (
    <>
      <Problem text={loaded.problem} />
      {loaded.value !== undefined && children(loaded.value)}
      {loaded.value === undefined && loaded.problem === undefined && <p class="loading">Loading…</p>}
      {loaded.value === undefined && loaded.problem !== undefined && (
        <button type="button" onClick={() => void loaded.reload()}>
          Try again
        </button>
      )}
    </>
  );
}
