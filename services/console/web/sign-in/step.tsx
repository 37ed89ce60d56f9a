import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';

/** A page with one short form, for somebody who is not signed in. */
export function Step({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  useEffect(() => {
    document.title = `${title} · Gatehouse console`;
  }, [title]);
  return (
    <main id="main" tabIndex={-1}>
      <section class="card step" aria-labelledby={id}>
        <h1 id={id}>{title}</h1>
        {children}
      </section>
    </main>
  );
}
