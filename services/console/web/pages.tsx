import { EmptyState } from '@gatehouse/web/shared/ui/empty-state.tsx';
import type { VNode } from 'preact';
import { AccountPage } from './accounts/account-page.tsx';
import { AccountsPage } from './accounts/accounts-page.tsx';
import { ApplicationPage } from './applications/application-page.tsx';
import { ApplicationsPage } from './applications/applications-page.tsx';
import { Page } from './frame/page.tsx';
import { GatewayPage } from './gateway/gateway-page.tsx';
import { GuildPage } from './guilds/guild-page.tsx';
import { GuildsPage } from './guilds/guilds-page.tsx';
import { JobsPage } from './jobs/jobs-page.tsx';
import { LimitsPage } from './limits/limits-page.tsx';
import { LogPage } from './log/log-page.tsx';
import { OperatorsPage } from './operators/operators-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { RequestPage } from './requests/request-page.tsx';
import type { ConsolePage } from './router/console-pages.ts';
import type { MatchedPage } from './router/match-page.ts';
import { RoutesPage } from './routes/routes-page.tsx';
import { WebhookPage } from './webhooks/webhook-page.tsx';
import { WebhooksPage } from './webhooks/webhooks-page.tsx';

/** The pages by their paths; those for signing in lead to the overview once somebody is signed in. */
const PAGES: Readonly<Record<ConsolePage, (parameter: string) => VNode>> = {
  '/': () => <OverviewPage />,
  '/routes': () => <RoutesPage />,
  '/requests/:request_id': (id) => <RequestPage key={id} id={id} />,
  '/limits': () => <LimitsPage />,
  '/accounts': () => <AccountsPage />,
  '/accounts/:id': (id) => <AccountPage key={id} id={id} />,
  '/applications': () => <ApplicationsPage />,
  '/applications/:id': (id) => <ApplicationPage key={id} id={id} />,
  '/webhooks': () => <WebhooksPage />,
  '/webhooks/:id': (id) => <WebhookPage key={id} id={id} />,
  '/guilds': () => <GuildsPage />,
  '/guilds/:id': (id) => <GuildPage key={id} id={id} />,
  '/gateway': () => <GatewayPage />,
  '/jobs': () => <JobsPage />,
  '/operators': () => <OperatorsPage />,
  '/log': () => <LogPage />,
  '/sign-in': () => <OverviewPage />,
  '/link': () => <OverviewPage />,
  '/enrol': () => <OverviewPage />,
};

/** The page of a path, or one that says that there is none. */
export function pageOf(matched: MatchedPage | undefined): VNode {
  if (matched !== undefined) return PAGES[matched.page](matched.parameter);
  return (
    <Page title="Page not found">
      <EmptyState icon="search" action={<a href="/">To the overview</a>}>
        The console has no page at this address.
      </EmptyState>
    </Page>
  );
}
