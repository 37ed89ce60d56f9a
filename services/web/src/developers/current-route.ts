import { signal } from '@preact/signals';
import { type Route, routeOf } from './route.ts';

/** The view in the URL. The back button changes it, too. */
export const currentRoute = signal<Route>(routeOf(location.hash));

let shown_hash = location.hash;

addEventListener('hashchange', () => {
  // The target of the skip link is not a view.
  if (location.hash === '#main') renameView(shown_hash);
  else showRoute(location.hash);
});

/** Replaces the URL of the current view, without leaving the view. A reload shows the new one. */
export function renameView(hash: string): void {
  history.replaceState(null, '', hash || location.pathname);
  shown_hash = hash;
}

/** Shows the view in the URL. */
export function showRoute(hash: string): void {
  renameView(hash);
  currentRoute.value = routeOf(hash);
}
