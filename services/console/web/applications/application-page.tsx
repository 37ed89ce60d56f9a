import type { AdminApplication, GetAdminApplicationResponse } from '@gatehouse/proto/oauth2-admin';
import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { call } from '../api/call.ts';
import { Page } from '../frame/page.tsx';
import { AccountLink } from '../parts/account-link.tsx';
import { ActionMenu, type OfferedAction } from '../parts/action-menu.tsx';
import { Facts } from '../parts/facts.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { OutOfUseNotice } from '../parts/out-of-use.tsx';
import { When } from '../parts/when.tsx';
import { cappedText, counted } from '../text/numbers.ts';
import { ApplicationState, type NamedApplication } from './application-state.tsx';
import { failedText } from './failed-text.ts';

interface Details extends Omit<GetAdminApplicationResponse, 'application'> {
  readonly application?: NamedApplication | null;
}

/** An application: whose it is, how it uses the API, and its disablement. */
export function ApplicationPage({ id }: { id: string }) {
  const path = `/applications/${encodeURIComponent(id)}`;
  const loaded = useLoaded(() => call<Details>('GET', path), [id]);
  const application = loaded.value?.application;
  return (
    <Page
      title={application?.name ?? 'Application'}
      heading={application && <Name text={application.name} />}
      actions={application && <ActionMenu actions={[disabling(application)]} onDone={loaded.reload} />}
    >
      <WhenLoaded loaded={loaded}>{(details) => <Application details={details} />}</WhenLoaded>
    </Page>
  );
}

/** Accounts are counted up to here. */
const MOST_ACCOUNTS = 10_000;

function Application({ details }: { details: Details }) {
  const { application, accounts, requests, errors } = details;
  if (!application) return null;
  const { id, owner_id, owner, redirect_uris, created_at_ms, disablement } = application;
  return (
    <>
      <OutOfUseNotice what="Disabled" state={disablement} />
      <OutOfUseNotice
        what="Owner suspended"
        subject={<AccountLink id={owner_id} account={owner} />}
        state={owner?.suspension}
      />
      <section class="card" aria-label="Application">
        <Facts
          facts={[
            ['ID', <code key="id">{id}</code>],
            ['State', <ApplicationState key="state" application={application} />],
            ['Owner', <AccountLink key="owner" id={owner_id} account={owner} showsId />],
            [
              'Bot',
              <IdLink key="bot" kind="account" id={id}>
                The bot of the application
              </IdLink>,
            ],
            [
              'Webhooks',
              <a key="webhooks" href={`/webhooks?q=${id}`}>
                Webhooks that the bot made
              </a>,
            ],
            ['Accounts that use it', cappedText(accounts, MOST_ACCOUNTS)],
            ['Requests, last 24 hours', `${counted(requests, 'request')}, ${failedText(errors)}`],
            ['Redirect URIs', <RedirectUris key="uris" uris={redirect_uris} />],
            ['Created', <When key="created" ms={created_at_ms} />],
            [
              'Limits',
              <IdLink key="limits" kind="identity" id={`application:${id}`}>
                What limits it
              </IdLink>,
            ],
          ]}
        />
      </section>
    </>
  );
}

function RedirectUris({ uris }: { uris: readonly string[] }) {
  if (uris.length === 0) return <>none</>;
  return (
    <ul class="plain-list">
      {uris.map((uri) => (
        <li key={uri}>
          <code>{uri}</code>
        </li>
      ))}
    </ul>
  );
}

function disabling({ id, name, disablement }: AdminApplication): OfferedAction {
  const post = (action: string) => (reason: string) =>
    call<{ pending?: string[] } | undefined>('POST', `/applications/${id}/${action}`, { reason });
  const enables = Boolean(disablement);
  return {
    name: enables ? 'application.enable' : 'application.disable',
    label: enables ? 'Enable' : 'Disable',
    kind: enables ? 'primary' : 'danger',
    title: `${enables ? 'Enable' : 'Disable'} ${name}?`,
    submit: enables ? 'Enable' : 'Disable',
    consequences: enables
      ? ['Its credentials, its bot token, and its tokens that are not expired work again at once.']
      : [
          'Its client credentials, its bot token, and all its access and refresh tokens are refused at once.',
          'Open Gateway connections of its bot close. Nothing is deleted.',
        ],
    done: `${name} is ${enables ? 'enabled' : 'disabled'}.`,
    act: post(enables ? 'enable' : 'disable'),
  };
}
