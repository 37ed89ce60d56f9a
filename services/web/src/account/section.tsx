import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Notice } from '../shared/ui.tsx';
import type { Said } from './use-said.ts';

/** A section of the page. `said` announces its last change. */
export function Section(props: { title: string; said?: Said | undefined; children: ComponentChildren }) {
  const { title, said, children } = props;
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {said && (
        <Notice key={said.turn} takesFocus>
          {said.words}
        </Notice>
      )}
      {children}
    </section>
  );
}
