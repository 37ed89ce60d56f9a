import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import type { OutOfUse } from './snapshot.ts';

/** Says that a thing is out of use, such as "account suspended"; nothing if it is in use. */
export function StateBadge({ what, state }: { what: string; state: OutOfUse | null | undefined }) {
  if (!state) return null;
  if (state === 'owner_suspended') return <Badge kind="warning">owner suspended</Badge>;
  if (state === 'creator_suspended') return <Badge kind="warning">creator suspended</Badge>;
  return (
    <Badge kind="danger">
      {what} {state}
    </Badge>
  );
}
