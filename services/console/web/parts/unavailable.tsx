import { formatList } from '@gatehouse/web/shared/i18n/format.ts';

/** In place of what services would have shown that do not answer. */
export function Unavailable({ services }: { services: readonly string[] | null | undefined }) {
  if (!services || services.length === 0) return null;
  return (
    <p role="status" class="notice warning">
      Missing here, as {services.length === 1 ? 'it does' : 'they do'} not answer: {formatList(services)}. The
      rest is complete.
    </p>
  );
}
