import type { AdminWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { usePages } from '../api/use-pages.ts';
import { IdLink } from '../parts/id-link.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import { WebhookState } from './webhook-state.tsx';

/** The webhooks of a search, newest first. */
export function WebhookList({ q, empty }: { q: string; empty: string }) {
  const list = usePages<AdminWebhook>('/webhooks', { q });
  return (
    <PagedList list={list} empty={<EmptyState icon="webhook">{empty}</EmptyState>}>
      {(webhooks) => (
        <div class="card">
          <Table caption="Newest first" columns={['Webhook', 'State', 'Creator', 'Guild', 'Channel']}>
            {webhooks.map((webhook) => (
              <tr key={webhook.id}>
                <td>
                  <IdLink kind="webhook" id={webhook.id}>
                    <Name text={webhook.name ?? webhook.id} isOneLine />
                  </IdLink>
                </td>
                <td>
                  <WebhookState webhook={webhook} />
                </td>
                <td>
                  <IdLink kind="account" id={webhook.creator_id} />
                </td>
                <td>
                  <IdLink kind="guild" id={webhook.guild_id} />
                </td>
                <td>
                  <code>{webhook.channel_id}</code>
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </PagedList>
  );
}
