import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of a page with a title, and beside it what can be done with the whole. */
export function Card(props: {
  title: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, actions, children } = props;
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
