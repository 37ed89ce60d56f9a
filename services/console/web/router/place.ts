import { computed, signal } from '@preact/signals';
import { newEntry, restoreScroll, startScroll } from './scroll.ts';

const url = signal(new URL(location.href));

/** The path of the shown page. */
export const path = computed(() => url.value.pathname);

/** The query of the shown page. */
export const query = computed(() => url.value.searchParams);

/** Shows another page of the console, without loading it from the server. */
export function go(href: string, options: { readonly replaces?: boolean } = {}): void {
  if (options.replaces) history.replaceState(history.state, '', href);
  else history.pushState(newEntry(), '', href);
  const before = url.peek().pathname;
  url.value = new URL(location.href);
  if (url.peek().pathname !== before) scrollTo(0, 0);
}

/** Changes parameters of the query in place; '' removes one. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  go(hrefWith(url.peek(), changes), { replaces: true });
}

/** The address with other parameters. */
export function hrefWith(from: URL, changes: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams(from.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return from.pathname + (text && `?${text}`);
}

/** The address of this page with other parameters, for links. */
export function hereWith(changes: Readonly<Record<string, string>>): string {
  return hrefWith(url.value, changes);
}

/** Follows the back button, and links to pages of the console. */
export function startRouter(): void {
  startScroll();
  addEventListener('popstate', ({ state }) => {
    url.value = new URL(location.href);
    restoreScroll(state);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || !isPlainClick(event) || !leadsToPage(link)) return;
    event.preventDefault();
    go(link.href);
  });
}

function isPlainClick(event: MouseEvent): boolean {
  const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented;
}

function leadsToPage(link: HTMLAnchorElement): boolean {
  const isElsewhere = link.origin !== location.origin || link.pathname.startsWith('/api/');
  return !isElsewhere && link.hash === '' && link.target === '' && !link.hasAttribute('download');
}
