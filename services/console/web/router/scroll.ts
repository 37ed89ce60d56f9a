/** How long a page may take to load before it is scrolled no more. */
const RESTORE_MS = 5_000;
/** What people do who scroll by themselves. */
const BY_HAND = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Where the pages of this tab's history were scrolled to, by the key in their state. */
const positions = new Map<string, number>();
let current = '';
let count = 0;
let endRestoring: (() => void) | undefined;

/** The state of a new entry of the history. */
export function newEntry(): { readonly entry: string } {
  endRestoring?.();
  current = `${performance.timeOrigin} ${++count}`;
  return { entry: current };
}

/** Remembers where pages are scrolled to. The browser would scroll back before a page has loaded what it shows. */
export function startScroll(): void {
  history.replaceState(newEntry(), '');
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto'; // of a reload
  });
  const remember = (): void => {
    if (endRestoring === undefined) positions.set(current, scrollY);
  };
  addEventListener('scroll', remember, { passive: true });
}

/** Scrolls to where the entry of the history was, as soon as its page is long enough. */
export function restoreScroll(state: unknown): void {
  const entry = entryOf(state);
  if (entry === undefined) {
    // A link to a part of the page: the browser scrolls to it.
    history.replaceState(newEntry(), '');
    return;
  }
  endRestoring?.();
  current = entry;
  const top = positions.get(current) ?? 0;
  const observer = new ResizeObserver(() => scrollTo(0, top));
  const end = (): void => {
    clearTimeout(timer);
    observer.disconnect();
    for (const type of BY_HAND) removeEventListener(type, end);
    endRestoring = undefined;
  };
  const timer = setTimeout(end, RESTORE_MS);
  for (const type of BY_HAND) addEventListener(type, end, { passive: true });
  endRestoring = end;
  observer.observe(document.documentElement);
}

function entryOf(state: unknown): string | undefined {
  return typeof state === 'object' && state !== null && 'entry' in state ? String(state.entry) : undefined;
}
