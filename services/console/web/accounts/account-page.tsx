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
import { type AccountDetails, knownPart, MOST_OWNED } from './account-details.ts';
import { AccountState } from './account-state.tsx';
import { ApplicationsTab, FactorsTab, GrantsTab, GuildsTab } from './account-things.tsx';
import { botActions } from './bot-actions.tsx';
import { EventsTab } from './events-tab.tsx';
import { OwnerLink } from './owner-link.tsx';
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
            key={id}
            actions={account.bot ? botActions(account, details) : accountActions(account, details)}
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
      <OutOfUseNotice
        what="Owner suspended"
        subject={<OwnerLink account={account} />}
        state={account?.owner_suspension}
      />
      <Unavailable services={unavailable} />
      <section class="card" aria-label="Account">
        <Facts
          facts={[
            ['ID', <code key="id">{id}</code>],
            ...(account ? factsOf(account, details) : []),
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

function factsOf(
  account: AdminAccount,
  { applications }: AccountDetails,
): (readonly [string, ComponentChildren])[] {
  const { global_name, email, owner_id, created_at_ms } = account;
  const own = account.bot ? applications.find(({ id }) => id === account.id) : undefined;
  return [
    ['State', <AccountState key="state" account={account} />],
    ['Display name', global_name ? <bdi key="name">{global_name}</bdi> : '–'],
    ['E-mail address', email ?? '–'],
    ...(owner_id
      ? [
          [
            'Owner of the bot',
            <span key="owner">
              <OwnerLink account={account} /> · <code>{owner_id}</code>
            </span>,
          ] as const,
        ]
      : []),
    ...(own
      ? [
          [
            'Application',
            <IdLink key="application" kind="application" id={own.id}>
              <Name text={own.name} isOneLine />
            </IdLink>,
          ] as const,
        ]
      : []),
    ['Created', <When key="created" ms={created_at_ms} />],
  ];
}

function Parts({ details, id }: { details: AccountDetails; id: string }) {
  const { sessions, security_events } = details;
  const [applications, webhooks] = [knownPart(details, 'applications'), knownPart(details, 'webhooks')];
  const [grants, guilds] = [knownPart(details, 'grants'), knownPart(details, 'guilds')];
  const tab = query.value.get('tab') ?? 'applications';
  const tabs = [
    { name: 'applications', text: numbered('Applications', applications, MOST_OWNED) },
    { name: 'webhooks', text: numbered('Webhooks', webhooks, MOST_OWNED) },
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
      {tab === 'applications' && (
        <ApplicationsTab account_id={id} applications={applications} bots={details.bots ?? []} />
      )}
      {tab === 'webhooks' && (
        <WebhookList
          path={`/accounts/${id}/webhooks`}
          empty={
            details.account?.bot
              ? 'This bot made no webhook.'
              : 'Neither this account nor a bot of it made a webhook.'
          }
        />
      )}
      {tab === 'sessions' && <SessionsTab sessions={sessions} />}
      {tab === 'factors' && <FactorsTab details={details} />}
      {tab === 'grants' && <GrantsTab grants={grants} />}
      {tab === 'guilds' && <GuildsTab guilds={guilds} />}
      {tab === 'events' && <EventsTab events={security_events} />}
    </>
  );
}

/** `most`: no more are listed. */
function numbered(
  text: string,
  things: readonly unknown[] | undefined,
  most = Number.POSITIVE_INFINITY,
): string {
  if (things === undefined) return text;
  return `${text} (${things.length}${things.length >= most ? '+' : ''})`;
}
