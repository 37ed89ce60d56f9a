import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Table } from '@gatehouse/web/shared/ui/table.tsx';
import { Tabs } from '@gatehouse/web/shared/ui/tabs.tsx';
import { usePages } from '../api/use-pages.ts';
import { Page } from '../frame/page.tsx';
import { AccountLink } from '../parts/account-link.tsx';
import { GuildLink } from '../parts/guild-link.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { PagedList } from '../parts/paged-list.tsx';
import { QuerySearch } from '../parts/query-search.tsx';
import { hereWith, query } from '../router/place.ts';
import { countText } from '../text/numbers.ts';
import type { NamedNoisyWebhook } from './named-webhook.ts';
import { executionsOf, OUTCOMES } from './outcomes.ts';
import { WebhookList } from './webhook-list.tsx';
import { WebhookState } from './webhook-state.tsx';

/** The noisiest webhooks, all of them, or those of a search. */
export function WebhooksPage() {
  const q = query.value.get('q') ?? '';
  const all = query.value.get('list') === 'all';
  return (
    <Page title="Webhooks">
      <QuerySearch
        label="Find webhooks"
        hint="The start of the name, an ID, or the ID of the guild, the channel or the creator."
      />
      {q === '' && (
        <Tabs
          label="Lists"
          tabs={[
            { href: hereWith({ list: '' }), text: 'Noisiest first', isCurrent: !all },
            { href: hereWith({ list: 'all' }), text: 'Newest first', isCurrent: all },
          ]}
        />
      )}
      {q !== '' || all ? (
        <WebhookList q={q} empty={q ? `No webhook fits “${q}”.` : 'There is no webhook yet.'} />
      ) : (
        <NoisyWebhooks />
      )}
    </Page>
  );
}

function NoisyWebhooks() {
  const list = usePages<NamedNoisyWebhook>('/webhooks/noisy', {});
  return (
    <PagedList
      list={list}
      empty={<EmptyState icon="webhook">No webhook ran in this hour and the one before it.</EmptyState>}
    >
      {(webhooks) => (
        <div class="card">
          <Table
            caption="Executions in this hour and the one before it, most first"
            columns={[
              'Webhook',
              'State',
              'Executions',
              ...OUTCOMES.map(({ text }) => text),
              'Creator',
              'Guild',
            ]}
          >
            {webhooks.map((one) => (
              <NoisyRow key={one.webhook?.id} {...one} />
            ))}
          </Table>
        </div>
      )}
    </PagedList>
  );
}

function NoisyRow({ webhook, outcomes }: NamedNoisyWebhook) {
  if (!webhook) return null;
  return (
    <tr>
      <td>
        <IdLink kind="webhook" id={webhook.id}>
          <Name text={webhook.name ?? webhook.id} isOneLine />
        </IdLink>
      </td>
      <td>
        <WebhookState webhook={webhook} />
      </td>
      <td class="number">
        <strong>{countText(executionsOf(outcomes))}</strong>
      </td>
      {OUTCOMES.map(({ name }) => (
        <td key={name} class="number">
          {countText(outcomes?.[name] ?? 0)}
        </td>
      ))}
      <td>
        <AccountLink id={webhook.creator_id} account={webhook.creator} />
      </td>
      <td>
        <GuildLink id={webhook.guild_id} name={webhook.guild_name} />
      </td>
    </tr>
  );
}
