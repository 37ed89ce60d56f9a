import { useEffect } from 'preact/hooks';
import type { SearchEntry } from './search-entry.ts';

interface SearchResultsProps {
  readonly id: string;
  readonly results: readonly SearchEntry[];
  /** The position of the selected result. The focus stays in the input. */
  readonly active: number;
}

/** The list below the search. It always exists, as the input names it. */
export function SearchResults({ id, results, active }: SearchResultsProps) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div id={id} role="listbox" aria-label="Results" class="results" hidden={results.length === 0}>
      {results.map(({ title, where, url }, position) => (
        <div
          key={url}
          id={`${id}-${position}`}
          role="option"
          tabIndex={-1}
          aria-selected={position === active}
          onMouseDown={() => location.assign(url)}
        >
          {title} <span class="quiet">{where}</span>
        </div>
      ))}
    </div>
  );
}
