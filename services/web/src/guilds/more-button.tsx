import { useEffect, useRef } from 'preact/hooks';
import { i18n } from '../shared/i18n/i18n.ts';
import { Problem } from '../shared/ui/problem.tsx';
import { Skeleton } from '../shared/ui/skeleton.tsx';
import type { Pages } from './use-pages.ts';

type MorePages = Pick<Pages<unknown>, 'items' | 'isLoading' | 'hasMore' | 'problem' | 'more'>;

/** The distance from the end of a list at which the next page is loaded. */
const AHEAD = '400px';

/**
 * The end of a list. When it comes into view it loads the next page. Its button does the same, for the keyboard and
 * screen readers, and after an error: then nothing is loaded by itself.
 */
export function MoreButton({ list, label }: { list: MorePages; label: string }) {
  const end = useRef<HTMLDivElement>(null);
  const newest = useRef(list);
  newest.current = list;
  const isWaiting = list.hasMore && !list.isLoading && list.problem === undefined;
  useEffect(() => {
    if (!isWaiting || end.current === null) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void newest.current.more();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWaiting]);
  return (
    <div ref={end} class="more">
      {list.items === undefined && list.problem === undefined && <Skeleton lines={6} isRows />}
      <Problem text={list.problem} />
      {(list.hasMore || list.problem !== undefined) && (
        <button type="button" aria-disabled={list.isLoading} onClick={() => void list.more()}>
          {list.problem === undefined ? label : i18n._('Try again')}
        </button>
      )}
    </div>
  );
}
