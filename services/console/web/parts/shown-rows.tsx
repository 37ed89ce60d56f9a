import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Rows that are shown at once. */
const PAGE = 100;

/** The first rows of a long list that is loaded already, and a button for more. */
export function ShownRows<T>(props: {
  rows: readonly T[];
  children: (shown: readonly T[]) => ComponentChildren;
}) {
  const { rows, children } = props;
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      {children(rows.slice(0, shown))}
      {rows.length > shown && (
        <p class="more">
          <button type="button" onClick={() => setShown(shown + PAGE)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
