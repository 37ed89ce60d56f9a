import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { path } from '../router/place.ts';

const entryPath = location.pathname;

/** The content of a page. `title` is also the title of the tab. `actions` stand beside the heading. */
export function Page(props: {
  title: string;
  heading?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, heading = title, actions, children } = props;
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = `${title} · Gatehouse console`;
  }, [title]);
  const isFirst = useRef(path.peek() === entryPath);
  useEffect(() => {
    // Screen readers begin at the new page; the first one begins at the top.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path.value]);
  return (
    <main id="main" ref={main} tabIndex={-1}>
      <div class="page-head">
        <h1>{heading}</h1>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </main>
  );
}
