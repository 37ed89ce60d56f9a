import type { SecurityEvent } from '@gatehouse/proto/auth';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { When } from '../parts/when.tsx';
import { jsonText } from '../text/json-text.ts';
import { Missing } from './missing.tsx';

/** The latest security events of an account, newest first. */
export function EventsTab({ events }: { events: readonly SecurityEvent[] | undefined }) {
  if (events === undefined) return <Missing />;
  if (events.length === 0) return <EmptyState icon="list">Nothing happened yet.</EmptyState>;
  return (
    <div class="card">
      <Table caption="The latest 50, newest first" columns={['When', 'What', 'Address', 'Details']}>
        {events.map(({ id, at_ms, kind, ip, detail }) => (
          <tr key={id}>
            <td>
              <When ms={at_ms} />
            </td>
            <td>{kind.replaceAll(/[._]/g, ' ')}</td>
            <td>{ip ?? '–'}</td>
            <td class="prose">
              <code>{jsonText(detail)}</code>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
