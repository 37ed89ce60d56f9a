import type { Delivery } from '@gatehouse/proto/webhook-delivery';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Card } from '@gatehouse/web/shared/ui/card.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { ShownRows } from '../parts/shown-rows.tsx';
import { When } from '../parts/when.tsx';

/** The executions that posted nothing, and why. */
export function DeliveryList({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <Card title="Executions that posted nothing">
      {deliveries.length === 0 ? (
        <p class="quiet">There was none in the last day.</p>
      ) : (
        <ShownRows rows={deliveries}>
          {(shown) => (
            <Table caption="Newest first" columns={['When', 'Outcome', 'Reason', 'Format', 'Event']}>
              {shown.map(({ at_ms, outcome, reason, dialect, event }, index) => (
                <tr key={`${at_ms} ${index}`}>
                  <td>
                    <When ms={at_ms} />
                  </td>
                  <td>
                    <Badge kind={outcome === 'refused' ? 'danger' : 'neutral'}>{outcome}</Badge>
                  </td>
                  <td>{reason.replaceAll('_', ' ')}</td>
                  <td>{dialect}</td>
                  <td>{event ?? '–'}</td>
                </tr>
              ))}
            </Table>
          )}
        </ShownRows>
      )}
      <p class="quiet">
        This list leaves out requests over a rate limit (429), with a wrong token (401), or too long (413).
        They count as refused above, and the managers of the webhook see them.
      </p>
    </Card>
  );
}
