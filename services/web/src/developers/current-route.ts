import { signal } from '@preact/signals';
import { type Route, routeOf } from './route.ts';

/** The view that the URL names. Follows the back button. */
export const currentRoute = signal<Route>(routeOf(location.hash));

let shownHash = location.hash;

addEventListener('hashchange', () => {
  // The target of the skip link is not a view.
  if (location.hash === '#main') renameView(shownHash);
  else showRoute(location.hash);
});

/** Replaces the URL of the current view. The view stays until a reload, which shows the view of the new URL. */
export function renameView(hash: string): void {
  history.replaceState(null, '', hash || location.pathname);
  shownHash = hash;
}

/** Shows another view, and replaces the URL. */
export function showRoute(hash: string): void {
  renameView(hash);
  currentRoute.value = routeOf(hash);
}
