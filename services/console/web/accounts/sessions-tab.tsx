import type { AdminSession } from '@gatehouse/proto/auth-admin';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { When } from '../parts/when.tsx';
import { Missing } from './missing.tsx';

/** The live sessions of an account, newest first. */
export function SessionsTab({ sessions }: { sessions: readonly AdminSession[] | undefined }) {
  if (sessions === undefined) return <Missing />;
  if (sessions.length === 0)
    return <EmptyState icon="key">Nobody is signed in with this account.</EmptyState>;
  return (
    <div class="card">
      <Table
        caption="Live sessions, newest first"
        columns={['Address', 'Browser or app', 'Last used', 'Signed in', 'Fingerprint']}
      >
        {sessions.map(({ id, ip, user_agent, last_used_at_ms, created_at_ms, fingerprint }) => (
          <tr key={id}>
            <td>{ip ? <a href={`/accounts?q=${encodeURIComponent(ip)}`}>{ip}</a> : '–'}</td>
            <td class="prose">{user_agent ? <Name text={user_agent} /> : '–'}</td>
            <td>
              <When ms={last_used_at_ms} />
            </td>
            <td>
              <When ms={created_at_ms} />
            </td>
            <td>
              <code>{fingerprint}</code>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
