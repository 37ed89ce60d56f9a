import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { When } from '../parts/when.tsx';
import { durationText } from '../text/numbers.ts';
import type { RecentRequest } from './route-statistics.ts';

/** Recent requests of a route; each leads to its log lines. */
export function RecentRequests({ requests }: { requests: readonly RecentRequest[] }) {
  if (requests.length === 0) return <p class="quiet">No recent request is kept.</p>;
  return (
    <ul class="recent">
      {requests.map(({ request_id, at_ms, status, ms }) => (
        <li key={request_id}>
          <StatusBadge status={status} />
          <IdLink kind="request" id={request_id} />
          <span class="quiet">
            {durationText(ms)} · <When ms={at_ms} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function StatusBadge({ status }: { status: number }) {
  if (status >= 500) return <Badge kind="danger">{status}</Badge>;
  return <Badge kind={status >= 400 ? 'warning' : 'good'}>{status}</Badge>;
}
