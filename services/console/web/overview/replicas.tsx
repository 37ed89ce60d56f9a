import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Card } from '@gatehouse/web/shared/ui/card.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { When } from '../parts/when.tsx';
import type { Replica } from './snapshot.ts';

/** The processes, those that are away first. */
export function Replicas({ replicas }: { replicas: readonly Replica[] }) {
  const sorted = [...replicas].sort(
    (a, b) => Number(a.up) - Number(b.up) || a.service.localeCompare(b.service),
  );
  return (
    <div id="processes">
      <Card title="Processes">
        <Table
          caption="Each process that serves this deployment"
          columns={['Service', 'State', 'Address', 'Version', 'Started']}
        >
          {sorted.map(({ service, address, version, up, started_at_ms }) => (
            <tr key={`${service} ${address}`}>
              <td>{service}</td>
              <td>{up ? <Badge>up</Badge> : <Badge kind="danger">away</Badge>}</td>
              <td>
                <code>{address}</code>
              </td>
              <td>{version || '–'}</td>
              <td>{up ? <When ms={started_at_ms} /> : '–'}</td>
            </tr>
          ))}
        </Table>
      </Card>
    </div>
  );
}
