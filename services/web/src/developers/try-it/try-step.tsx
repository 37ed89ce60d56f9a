import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A step of the flow. It gets the focus when it appears. */
export function TryStep(props: {
  number: number;
  title: string;
  explanation: string;
  children: ComponentChildren;
}) {
  const { number, title, explanation, children } = props;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {`${number}. ${title}`}
      </h2>
      <p>{explanation}</p>
      {children}
    </section>
  );
}
