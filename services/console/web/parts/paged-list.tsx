import { Problem } from '@gatehouse/web/shared/ui/problem.tsx';
import { Skeleton } from '@gatehouse/web/shared/ui/skeleton.tsx';
import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';

/** A list with its skeleton, its empty state, its error, and the button for the next page. */
export function PagedList<T>(props: {
  list: Pages<T>;
  empty: ComponentChildren;
  children: (items: readonly T[]) => ComponentChildren;
}) {
  const { list, empty, children } = props;
  const { items, problem, isLoading, hasMore } = list;
  return (
    <>
      {items === undefined && problem === undefined && <Skeleton lines={6} isRows />}
      {items?.length === 0 && empty}
      {items !== undefined && items.length > 0 && children(items)}
      <Problem text={problem} />
      {(hasMore || problem !== undefined) && (
        <p class="more">
          <button type="button" aria-disabled={isLoading} onClick={() => void list.more()}>
            {problem === undefined ? 'Show more' : 'Try again'}
          </button>
        </p>
      )}
    </>
  );
}
