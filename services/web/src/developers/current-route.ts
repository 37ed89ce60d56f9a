import { signal } from '@preact/signals';
import { type Route, routeOf } from './route.ts';

/** The view that the address names; the back button changes it too. */
export const currentRoute = signal<Route>(routeOf(location.hash));

let shown_hash = location.hash;

addEventListener('hashchange', () => {
  // The link that skips to the content names a place, not a view.
  if (location.hash === '#main') renameView(shown_hash);
  else showRoute(location.hash);
});

/** Renames the view that is shown, without leaving it: a reload, or coming back, shows what has the new name. */
export function renameView(hash: string): void {
  history.replaceState(null, '', hash || location.pathname);
  shown_hash = hash;
}

/** Shows what the address names. */
export function showRoute(hash: string): void {
  renameView(hash);
  currentRoute.value = routeOf(hash);
}
