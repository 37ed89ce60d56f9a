import type { AdminApplication, GetAdminApplicationResponse } from '@gatehouse/proto/oauth2-admin';
import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';
import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { call } from '../api/call.ts';
import { Page } from '../frame/page.tsx';
import { ActionMenu, type OfferedAction } from '../parts/action-menu.tsx';
import { Facts } from '../parts/facts.tsx';
import { IdLink } from '../parts/id-link.tsx';
import { OutOfUseNotice } from '../parts/out-of-use.tsx';
import { When } from '../parts/when.tsx';
import { countText } from '../text/numbers.ts';
import { failedText } from './failed-text.ts';

/** An application: whose it is, how it uses the API, and its disablement. */
export function ApplicationPage({ id }: { id: string }) {
  const path = `/applications/${encodeURIComponent(id)}`;
  const loaded = useLoaded(() => call<GetAdminApplicationResponse>('GET', path), [id]);
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

function Application({ details }: { details: GetAdminApplicationResponse }) {
  const { application, accounts, requests, errors } = details;
  if (!application) return null;
  const { id, owner_id, redirect_uris, created_at_ms, disablement } = application;
  return (
    <>
      <OutOfUseNotice what="Disabled" state={disablement} />
      <section class="card" aria-label="Application">
        <Facts
          facts={[
            ['ID', <code key="id">{id}</code>],
            ['State', disablement ? <Badge kind="danger">disabled</Badge> : <Badge>enabled</Badge>],
            ['Owner', <IdLink key="owner" kind="account" id={owner_id} />],
            ['Accounts that use it', countText(accounts)],
            ['Requests, last 24 hours', `${countText(requests)}, ${failedText(errors)}`],
            ['Redirect URIs', <RedirectUris key="uris" uris={redirect_uris} />],
            ['Made', <When key="made" ms={created_at_ms} />],
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
    name: 'application.disable',
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
