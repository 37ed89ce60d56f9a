import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { go } from '../router/place.ts';
import { type Found, type Search, useSearch } from './use-search.ts';

/** As much as an ID, an address or a name needs. The server refuses longer texts. */
const MAX_LENGTH = 320;

/** The types want a `datalist`, whose options could not be what Results shows. */
const NO_LIST = { list: undefined };

/**
 * Finds anything by ID, address, request ID, fingerprint or name. The key `/` leads to it, arrows choose a result, Enter
 * opens it.
 */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [isWanted, setWanted] = useState(false);
  const search = useSearch(text.trim());
  const found = search.found ?? [];
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [active]);
  useEffect(() => focusBySlash(() => input.current?.focus()), []);
  const open = (one: Found) => {
    setText('');
    setOpen(false);
    setWanted(false);
    input.current?.blur();
    go(one.href);
  };
  // Enter was pressed before the answer came.
  useEffect(() => {
    if (isWanted && found[0]) open(found[0]);
    if (search.found) setWanted(false);
  }, [search.found]);
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = found[active];
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Enter' && chosen) open(chosen);
    else if (event.key === 'Enter') setWanted(true);
    else if (event.key === 'Escape') setOpen(false);
    else return;
    event.preventDefault();
  };
  const isShown = isOpen && text.trim() !== '';
  return (
    <search
      class="search-box"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOpen(false);
      }}
    >
      <input
        ref={input}
        type="search"
        role="combobox"
        {...NO_LIST}
        aria-label="Search: any ID, address, request ID, fingerprint or name"
        placeholder="ID, address, request, fingerprint, name"
        autoComplete="off"
        spellcheck={false}
        maxLength={MAX_LENGTH}
        aria-expanded={isShown}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        {...(isShown && found[active] && { 'aria-activedescendant': `${id}-${active}` })}
        value={text}
        onFocus={() => setOpen(true)}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      <Results id={id} search={search} isShown={isShown} active={active} open={open} />
    </search>
  );
}

function Results(props: {
  id: string;
  search: Search;
  isShown: boolean;
  active: number;
  open: (one: Found) => void;
}) {
  const { id, search, isShown, active, open } = props;
  return (
    <div class="found" hidden={!isShown}>
      <div role="listbox" id={`${id}-found`} aria-label="Found">
        {search.found?.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
          <div
            key={`${one.kind} ${one.id}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => open(one)}
          >
            <span class="found-kind">{one.kind}</span>
            <bdi class="found-title">{one.title}</bdi>
            <span class="found-detail">{one.detail}</span>
          </div>
        ))}
      </div>
      <p role="status" class="found-state">
        {stateOf(search)}
      </p>
    </div>
  );
}

function stateOf({ found, problem, unavailable }: Search): string {
  const missing =
    unavailable.length > 0 ? ` Not searched, because no answer came: ${unavailable.join(', ')}.` : '';
  if (problem !== undefined) return problem;
  if (found === undefined) return 'Searching…';
  return (found.length === 0 ? 'Nothing found.' : '') + missing;
}

/** Returns what ends it. */
function focusBySlash(focus: () => void): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    focus();
  };
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}
