import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

const DEFAULT_TITLE = 'For developers';

/** The title of the view that is shown. */
export const viewTitle = signal(DEFAULT_TITLE);

/** A view of the portal: what the page shows below its title. */
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
