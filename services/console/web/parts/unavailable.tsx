import { formatList } from '@gatehouse/web/shared/i18n/format.ts';

/** Names what is missing, because its service does not answer. */
export function Unavailable({ services }: { services: readonly string[] | null | undefined }) {
  if (!services || services.length === 0) return null;
  return (
    <p role="status" class="notice warning">
      Missing: {formatList(services)}. No answer came from there. The rest is complete.
    </p>
  );
}
