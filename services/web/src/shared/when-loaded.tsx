import type { ComponentChildren } from 'preact';
import type { Loaded } from './api/use-loaded.ts';
import { i18n } from './i18n/i18n.ts';
import { Problem } from './ui/problem.tsx';
import { Skeleton } from './ui/skeleton.tsx';

/** Renders a value once it is loaded, and before that a skeleton of it, or the error with a button to retry. */
export function WhenLoaded<T>(props: {
  loaded: Pick<Loaded<T>, 'value' | 'problem' | 'reload'>;
  /** In place of the value. Default: three lines. */
  skeleton?: ComponentChildren;
  children: (value: T) => ComponentChildren;
}) {
  const { loaded, skeleton = <Skeleton />, children } = props;
  return (
    <>
      <Problem text={loaded.problem} />
      {loaded.value !== undefined && children(loaded.value)}
      {loaded.value === undefined && loaded.problem === undefined && skeleton}
      {loaded.value === undefined && loaded.problem !== undefined && (
        <button type="button" onClick={() => void loaded.reload()}>
          {i18n._('Try again')}
        </button>
      )}
    </>
  );
}
