import { Tabs } from '@gatehouse/web/shared/ui/tabs.tsx';
import { Page } from '../frame/page.tsx';
import { hrefOf } from '../parts/hrefs.ts';
import { IdentityText } from '../parts/identity-text.tsx';
import { QueryForm } from '../parts/query-form.tsx';
import { go, hereWith, query } from '../router/place.ts';
import { DeniedList } from './denied-list.tsx';
import { Explain } from './explain.tsx';
import { Identity } from './identity.tsx';
import { OverrideList } from './override-list.tsx';

/** The limited identities, with the reason and the end of each denial; and one identity in all its buckets. */
export function LimitsPage() {
  const identity = query.value.get('identity') ?? '';
  const tab = query.value.get('tab') ?? 'denied';
  if (identity !== '')
    return (
      <Page
        title={identity}
        heading={
          <bdi>
            <IdentityText identity={identity} />
          </bdi>
        }
        actions={<a href="/limits">All limits</a>}
      >
        <Identity key={identity} identity={identity} />
      </Page>
    );
  const tabs = [
    { name: 'denied', text: 'Most limited' },
    { name: 'overrides', text: 'Overrides' },
    { name: 'explain', text: 'Explain' },
  ];
  return (
    <Page title="Limits">
      <QueryForm
        label="Look up an identity"
        hint="For example account:1, application:1, webhook:1 or ip:192.0.2.1."
        submit="Look up"
        placeholder="account:123456789"
        value=""
        onSubmit={(text) => text !== '' && go(hrefOf('identity', text))}
      />
      <Tabs
        label="Lists"
        tabs={tabs.map(({ name, text }) => ({
          href: hereWith({ tab: name, fingerprint: '' }),
          text,
          isCurrent: name === tab,
        }))}
      />
      {tab === 'denied' && <DeniedList fingerprint={query.value.get('fingerprint') ?? ''} />}
      {tab === 'overrides' && <OverrideList />}
      {tab === 'explain' && <Explain />}
    </Page>
  );
}
