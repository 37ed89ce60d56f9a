import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Rows } from '../../shared/ui/rows.tsx';

const SHOWN_AT_FIRST = 5;

/** The first things of a list, and a button that shows all of them. It stays, so that it keeps the focus. */
export function ShortList<T>({ items, row }: { items: readonly T[]; row: (item: T) => ComponentChildren }) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <>
      <Rows>{items.slice(0, showsAll ? undefined : SHOWN_AT_FIRST).map(row)}</Rows>
      {items.length > SHOWN_AT_FIRST && (
        <button type="button" onClick={() => setShowsAll(!showsAll)}>
          {showsAll
            ? i18n._('Show fewer')
            : i18n._('Show all {count}', { count: formatNumber(items.length) })}
        </button>
      )}
    </>
  );
}
