import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { IdentityText } from '../parts/identity-text.tsx';

/** A card with the noisiest of a kind. `period` says what the numbers count, and in what time. */
export function NoisyList(props: {
  title: string;
  period: string;
  all: { href: string; label: string };
  empty: string;
  children: readonly ComponentChildren[];
}) {
  const { title, period, all, empty, children } = props;
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        <a href={all.href} aria-label={all.label}>
          All
        </a>
      </div>
      <p class="quiet noisy-period">{period}</p>
      {children.length === 0 ? <p class="quiet">{empty}</p> : <ol class="noisy-rows">{children}</ol>}
    </section>
  );
}

/** One of them, with its number. */
export function NoisyRow(props: {
  href: string;
  title: string;
  /** Whether the title may take several lines: an ID is never cut. */
  isWhole?: boolean;
  /** Beside the title: why it is out of use. */
  state: ComponentChildren;
  value: string;
  detail: ComponentChildren;
  /** The page of the thing itself. */
  also?: { readonly href: string; readonly text: string } | undefined;
}) {
  const { href, title, isWhole = false, state, value, detail, also } = props;
  return (
    <li>
      <div class="noisy-words">
        <span class="noisy-title">
          <a href={href}>{isWhole ? <IdentityText identity={title} /> : <Name text={title} isOneLine />}</a>
          {state}
        </span>
        <span class="quiet">
          {detail}
          {also && (
            <>
              {' · '}
              <a href={also.href}>{also.text}</a>
            </>
          )}
        </span>
      </div>
      <strong>{value}</strong>
    </li>
  );
}
