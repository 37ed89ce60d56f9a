import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { usePages } from '../api/use-pages.ts';
import { AccountLink } from '../parts/account-link.tsx';
import { GuildLink } from '../parts/guild-link.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import type { NamedWebhook } from './named-webhook.ts';
import { WebhookState } from './webhook-state.tsx';

/** The webhooks of a search, or of a path of the API, newest first. */
export function WebhookList(props: { q?: string; path?: string; empty: string }) {
  const { q, path = '/webhooks', empty } = props;
  const list = usePages<NamedWebhook>(path, q === undefined ? {} : { q });
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
                  <AccountLink id={webhook.creator_id} account={webhook.creator} />
                </td>
                <td>
                  <GuildLink id={webhook.guild_id} name={webhook.guild_name} />
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
