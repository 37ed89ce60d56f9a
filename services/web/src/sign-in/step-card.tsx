import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

const FIRST = 'input:not([type="checkbox"])';

/** A step of the form. It moves the focus to its first field or to its heading, unless the page begins with it. */
export function StepCard(props: {
  title: ComponentChildren;
  takesFocus: boolean;
  children: ComponentChildren;
}) {
  const { title, takesFocus, children } = props;
  const card = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    if (!takesFocus) return;
    const first = card.current?.querySelector<HTMLElement>(FIRST) ?? card.current?.querySelector('h2');
    first?.focus();
  }, []);
  return (
    <section ref={card} class="card step" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}
