import type { Delivery } from '@gatehouse/proto/webhook-delivery';
import type { OutcomeCounts } from '@gatehouse/proto/webhook-delivery-admin';
import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { Card } from '@gatehouse/web/shared/ui/card.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { call } from '../api/call.ts';
import { Meters } from '../charts/meters.tsx';
import { Page } from '../frame/page.tsx';
import { AccountLink } from '../parts/account-link.tsx';
import { ActionMenu, type OfferedAction } from '../parts/action-menu.tsx';
import { Facts } from '../parts/facts.tsx';
import { GuildLink } from '../parts/guild-link.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { OutOfUseNotice } from '../parts/out-of-use.tsx';
import { Unavailable } from '../parts/unavailable.tsx';
import { countText, shareText } from '../text/numbers.ts';
import { DeliveryList } from './delivery-list.tsx';
import type { NamedWebhook } from './named-webhook.ts';
import { executionsOf, OUTCOMES } from './outcomes.ts';
import { WebhookState } from './webhook-state.tsx';
import '../charts/charts.css';

interface WebhookDetails {
  readonly webhook?: NamedWebhook | null;
  readonly outcomes?: OutcomeCounts | null;
  /** Those that posted nothing, newest first. */
  readonly deliveries?: readonly Delivery[];
  readonly unavailable?: readonly string[];
}

/** A webhook: whose it is, the outcomes of its executions, and its disablement. */
export function WebhookPage({ id }: { id: string }) {
  const loaded = useLoaded(() => call<WebhookDetails>('GET', `/webhooks/${encodeURIComponent(id)}`), [id]);
  const webhook = loaded.value?.webhook;
  const name = webhook ? (webhook.name ?? `Webhook ${webhook.id}`) : 'Webhook';
  return (
    <Page
      title={name}
      heading={<Name text={name} />}
      actions={webhook && <ActionMenu actions={[disabling(webhook, name)]} onDone={loaded.reload} />}
    >
      <WhenLoaded loaded={loaded}>{(details) => <Webhook {...details} />}</WhenLoaded>
    </Page>
  );
}

function Webhook({ webhook, outcomes, deliveries = [], unavailable }: WebhookDetails) {
  if (!webhook) return null;
  const { creator, guild_name } = webhook;
  return (
    <>
      <OutOfUseNotice what="Disabled" state={webhook.disablement} />
      <OutOfUseNotice
        what="Creator suspended"
        subject={
          <IdLink kind="account" id={webhook.creator_id}>
            {creator && <bdi>{creator.username}</bdi>}
          </IdLink>
        }
        state={creator?.suspension}
      />
      <OutOfUseNotice
        what="Owner of the creator suspended"
        subject={
          <IdLink kind="account" id={creator?.owner_id}>
            {creator?.owner_username && <bdi>{creator.owner_username}</bdi>}
          </IdLink>
        }
        state={creator?.owner_suspension}
      />
      <section class="card" aria-label="Webhook">
        <Facts
          facts={[
            ['ID', <code key="id">{webhook.id}</code>],
            ['State', <WebhookState key="state" webhook={webhook} />],
            ['Creator', <AccountLink key="creator" id={webhook.creator_id} account={creator} showsId />],
            ['Guild', <GuildLink key="guild" id={webhook.guild_id} name={guild_name} showsId />],
            ['Channel', <code key="channel">{webhook.channel_id}</code>],
            [
              'Limits',
              <IdLink key="limits" kind="identity" id={`webhook:${webhook.id}`}>
                What limits it
              </IdLink>,
            ],
          ]}
        />
      </section>
      <Outcomes outcomes={outcomes} />
      <Unavailable services={unavailable} />
      {!unavailable?.includes('deliveries') && <DeliveryList deliveries={deliveries} />}
    </>
  );
}

function Outcomes({ outcomes }: { outcomes: OutcomeCounts | null | undefined }) {
  const all = executionsOf(outcomes);
  return (
    <Card title="Executions in this hour and the one before it">
      <Meters
        meters={OUTCOMES.map(({ name, text, about }) => {
          const count = outcomes?.[name] ?? 0;
          return {
            name: `${text}: ${about}`,
            value: count,
            max: all,
            text: `${countText(count)} (${shareText(count, all)})`,
            isFull: name === 'refused' && count > 0,
          };
        })}
      />
    </Card>
  );
}

function disabling({ id, disablement }: NamedWebhook, title: string): OfferedAction {
  const post = (action: string) => async (reason: string) => {
    await call('POST', `/webhooks/${id}/${action}`, { reason });
    return undefined;
  };
  const enables = Boolean(disablement);
  return {
    name: enables ? 'webhook.enable' : 'webhook.disable',
    label: enables ? 'Enable' : 'Disable',
    kind: enables ? 'primary' : 'danger',
    title: `${enables ? 'Enable' : 'Disable'} ${title}?`,
    submit: enables ? 'Enable' : 'Disable',
    consequences: enables
      ? ['Its token works again at once.']
      : ['Every request with its token is refused at once, as for a wrong token.', 'Nothing is deleted.'],
    done: `${title} is ${enables ? 'enabled' : 'disabled'}.`,
    act: post(enables ? 'enable' : 'disable'),
  };
}
