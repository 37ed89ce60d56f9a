import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

interface ViewTitle {
  /** The heading of the page. */
  readonly title: string;
  /** In the title of the browser's tab, before the heading. */
  readonly tab: string | undefined;
}

/** The title of the current view. Undefined before one is shown. */
export const viewTitle = signal<ViewTitle | undefined>(undefined);

/** A view of the portal: the content below the title of the page. */
export function View(props: { title: string; tab?: string; children: ComponentChildren }) {
  const { title, tab, children } = props;
  useLayoutEffect(() => {
    viewTitle.value = { title, tab };
  }, [title, tab]);
  useLayoutEffect(
    () => () => {
      viewTitle.value = undefined;
    },
    [],
  );
  return <>{children}</>;
}
