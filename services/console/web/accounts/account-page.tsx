import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { Tabs } from '@gatehouse/web/shared/ui/tabs.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import type { ComponentChildren } from 'preact';
import { call } from '../api/call.ts';
import { Page } from '../frame/page.tsx';
import { ActionMenu } from '../parts/action-menu.tsx';
import { Facts } from '../parts/facts.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { OutOfUseNotice } from '../parts/out-of-use.tsx';
import { Unavailable } from '../parts/unavailable.tsx';
import { When } from '../parts/when.tsx';
import { hereWith, query } from '../router/place.ts';
import { WebhookList } from '../webhooks/webhook-list.tsx';
import { accountActions } from './account-actions.ts';
import { type AccountDetails, knownPart } from './account-details.ts';
import { AccountState } from './account-state.tsx';
import { ApplicationsTab, FactorsTab, GrantsTab, GuildsTab } from './account-things.tsx';
import { EventsTab } from './events-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

/** An account: who it is, what it has, and what can be done about it. */
export function AccountPage({ id }: { id: string }) {
  const loaded = useLoaded(() => call<AccountDetails>('GET', `/accounts/${encodeURIComponent(id)}`), [id]);
  const details = loaded.value;
  const account = details?.account;
  return (
    <Page
      title={account?.username ?? 'Account'}
      heading={account && <Name text={account.username} />}
      actions={
        account && (
          <ActionMenu
            actions={accountActions(account, {
              sessions: details.sessions?.length ?? 0,
              grants: knownPart(details, 'grants')?.length,
            })}
            onDone={loaded.reload}
          />
        )
      }
    >
      <WhenLoaded loaded={loaded}>{(shown) => <Account id={id} details={shown} />}</WhenLoaded>
    </Page>
  );
}

function Account({ id, details }: { id: string; details: AccountDetails }) {
  const { account, unavailable } = details;
  return (
    <>
      <OutOfUseNotice what="Suspended" state={account?.suspension} />
      <Unavailable services={unavailable} />
      <section class="card" aria-label="Account">
        <Facts
          facts={[
            ['ID', <code key="id">{id}</code>],
            ...(account ? factsOf(account) : []),
            [
              'Limits',
              <IdLink key="limits" kind="identity" id={`account:${id}`}>
                What limits it
              </IdLink>,
            ],
          ]}
        />
      </section>
      <Parts details={details} id={id} />
    </>
  );
}

function factsOf(account: AdminAccount): (readonly [string, ComponentChildren])[] {
  const { global_name, email, owner_id, created_at_ms } = account;
  return [
    ['State', <AccountState key="state" account={account} />],
    ['Display name', global_name ? <bdi key="name">{global_name}</bdi> : '–'],
    ['E-mail address', email ?? '–'],
    ...(owner_id ? [['Owner of the bot', <IdLink key="owner" kind="account" id={owner_id} />] as const] : []),
    ['Made', <When key="made" ms={created_at_ms} />],
  ];
}

function Parts({ details, id }: { details: AccountDetails; id: string }) {
  const { sessions, security_events } = details;
  const [applications, webhooks] = [knownPart(details, 'applications'), knownPart(details, 'webhooks')];
  const [grants, guilds] = [knownPart(details, 'grants'), knownPart(details, 'guilds')];
  const tab = query.value.get('tab') ?? 'applications';
  const tabs = [
    { name: 'applications', text: numbered('Applications', applications) },
    { name: 'webhooks', text: numbered('Webhooks', webhooks) },
    { name: 'sessions', text: numbered('Sessions', sessions) },
    { name: 'factors', text: 'Factors' },
    { name: 'grants', text: numbered('Grants', grants) },
    { name: 'guilds', text: numbered('Guilds', guilds) },
    { name: 'events', text: 'Security events' },
  ];
  return (
    <>
      <Tabs
        label="Parts of the account"
        tabs={tabs.map(({ name, text }) => ({
          href: hereWith({ tab: name }),
          text,
          isCurrent: tab === name,
        }))}
      />
      {tab === 'applications' && <ApplicationsTab applications={applications} bots={details.bots ?? []} />}
      {tab === 'webhooks' && <WebhookList q={id} empty="This account made no webhook." />}
      {tab === 'sessions' && <SessionsTab sessions={sessions} />}
      {tab === 'factors' && <FactorsTab details={details} />}
      {tab === 'grants' && <GrantsTab grants={grants} />}
      {tab === 'guilds' && <GuildsTab guilds={guilds} />}
      {tab === 'events' && <EventsTab events={security_events} />}
    </>
  );
}

function numbered(text: string, things: readonly unknown[] | undefined): string {
  return things === undefined ? text : `${text} (${things.length})`;
}
