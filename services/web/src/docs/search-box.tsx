import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { search } from './search.ts';
import type { SearchEntry } from './search-entry.ts';
import { SearchResults } from './search-results.tsx';

const LIST = 'docs-search-results';

const COMBOBOX = {
  role: 'combobox',
  'aria-label': 'Search the documentation',
  'aria-controls': LIST,
  'aria-autocomplete': 'list',
  autoComplete: 'off',
  // Preact has the type of a combobox with a <datalist>.
  list: undefined,
} as const;

/** The search over operations and guides: a combobox with a list of links. Its index is loaded on first use. */
export function Search({ index }: { index: string }) {
  const input = useRef<HTMLInputElement>(null);
  const entries = useSignal<readonly SearchEntry[] | undefined>(undefined);
  const query = useSignal('');
  const isOpen = useSignal(false);
  const active = useSignal(0);
  const hasFailed = useSignal(false);
  useEffect(() => focusOnSlash(input), []);

  const load = async () => {
    if (entries.peek() !== undefined) return;
    hasFailed.value = false;
    entries.value = await loadIndex(index).catch(() => {
      hasFailed.value = true;
      return undefined;
    });
  };
  const results = entries.value === undefined ? [] : search(entries.value, query.value);
  const isShown = isOpen.value && query.value.trim() !== '';
  const found = results[active.value];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      isOpen.value = true;
      active.value = (active.value + step + results.length) % results.length;
    } else if (event.key === 'Enter' && isShown && found) location.assign(found.url);
    else if (event.key === 'Escape') isOpen.value = false;
  };
  return (
    <div class="search" onFocusOut={(event) => closeOnLeave(event, () => (isOpen.value = false))}>
      <input
        ref={input}
        type="search"
        {...COMBOBOX}
        placeholder="Search (press /)"
        {...{
          'aria-expanded': isShown,
          ...(isShown && found && { 'aria-activedescendant': `${LIST}-${active.value}` }),
        }}
        onFocus={() => void load()}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
          active.value = 0;
          isOpen.value = true;
          void load();
        }}
        onKeyDown={onKeyDown}
      />
      <SearchResults id={LIST} results={isShown ? results : []} active={active.value} />
      <p role="status" class={isShown && results.length === 0 ? 'results nothing' : 'unseen'}>
        {isShown && statusText(results.length, entries.value !== undefined, hasFailed.value)}
      </p>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function statusText(count: number, isLoaded: boolean, hasFailed: boolean): string {
  if (hasFailed) return 'The search cannot be loaded. Type again to try once more.';
  if (!isLoaded) return 'Loading…';
  if (count === 0) return 'Nothing found';
  return count === 1 ? '1 result' : `${count} results`;
}

function closeOnLeave({ currentTarget, relatedTarget }: FocusEvent, close: () => void): void {
  const isInside =
    currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
  if (!isInside) close();
}

/** The key / puts the focus into the search, unless the reader is typing. */
function focusOnSlash(input: { readonly current: HTMLInputElement | null }): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.current?.focus();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}

async function loadIndex(url: string): Promise<readonly SearchEntry[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the search index is not there: ${response.status}`);
  return (await response.json()) as SearchEntry[]; // the build has written it
}
