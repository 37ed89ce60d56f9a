import { i18n } from '../i18n/i18n.ts';

/** Takes the place of content that is being loaded, so that it does not jump when it comes. */
export function Skeleton({ lines = 3, isRows = false }: { lines?: number; isRows?: boolean }) {
  return (
    <div class="loading" aria-busy="true">
      <span class="unseen">{i18n._('Loading…')}</span>
      <div class={isRows ? 'skeleton rows' : 'skeleton'} aria-hidden="true">
        {Array.from({ length: lines }, (_, line) => (
          <span key={line} />
        ))}
      </div>
    </div>
  );
}
