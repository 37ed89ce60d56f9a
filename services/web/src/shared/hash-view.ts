import { type ReadonlySignal, signal } from '@preact/signals';

/** The view that the fragment of the URL names. Follows the back button. */
export function hashView<T>(viewOf: (hash: string) => T): ReadonlySignal<T> {
  let shown = location.hash;
  const view = signal(viewOf(shown));
  addEventListener('hashchange', () => {
    // The target of the skip link is not a view.
    if (location.hash === '#main') history.replaceState(null, '', shown || location.pathname);
    else {
      shown = location.hash;
      view.value = viewOf(shown);
    }
  });
  return view;
}
