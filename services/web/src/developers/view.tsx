import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const DEFAULT_TITLE = 'For developers';

/** The title of the current view. */
export const viewTitle = signal(DEFAULT_TITLE);

/** A view of the portal: the content below the title of the page. */
export function View({ title, children }: { title: string; children: ComponentChildren }) {
  useLayoutEffect(() => {
    viewTitle.value = title;
  }, [title]);
  useLayoutEffect(
    () => () => {
      viewTitle.value = DEFAULT_TITLE;
    },
    [],
  );
  return <>{children}</>;
}
