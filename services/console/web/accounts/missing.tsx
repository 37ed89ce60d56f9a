import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';

/** In place of a part whose service does not answer. */
export function Missing() {
  return (
    <EmptyState icon="search">
      The service that knows this does not answer. Reload the page in a moment.
    </EmptyState>
  );
}
