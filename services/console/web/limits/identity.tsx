import type { LookUpIdentityResponse } from '@gatehouse/proto/ratelimit-admin';
import { useLoaded } from '@gatehouse/web/shared/api/use-loaded.ts';
import { Button } from '@gatehouse/web/shared/ui/button.tsx';
import { Card } from '@gatehouse/web/shared/ui/card.tsx';
import { WhenLoaded } from '@gatehouse/web/shared/when-loaded.tsx';
import { useState } from 'preact/hooks';
import { call, withQuery } from '../api/call.ts';
import { may } from '../api/me.ts';
import { ActionMenu } from '../parts/action-menu.tsx';
import { Facts } from '../parts/facts.tsx';
import { pageOfIdentity } from '../parts/hrefs.ts';
import { BucketTable } from './bucket-table.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import { OverrideTable } from './override-table.tsx';
import { resetting } from './reset.ts';

/** The answer, with the identity that buckets count for the typed one, such as the /64 of an IPv6 address. */
type FoundIdentity = LookUpIdentityResponse & { readonly identity: string };

/** What limits an identity: its buckets and its overrides, and what can be done about them. */
export function Identity({ identity }: { identity: string }) {
  const path = withQuery('/limits/identity', { identity });
  const loaded = useLoaded(() => call<FoundIdentity>('GET', path), [identity]);
  return (
    <WhenLoaded loaded={loaded}>
      {(found) => <Found typed={identity} found={found} reload={loaded.reload} />}
    </WhenLoaded>
  );
}

function Found(props: { typed: string; found: FoundIdentity; reload: () => Promise<void> }) {
  const { typed, found, reload } = props;
  const { identity, buckets, overrides, fingerprint } = found;
  const page = pageOfIdentity(identity);
  const [isSetting, setSetting] = useState(false);
  return (
    <>
      <section class="card" aria-label="Identity">
        <Facts
          facts={[
            ...(page ? [['Page', <a key="page" href={page.href}>{`Open ${page.text}`}</a>] as const] : []),
            ...(identity === typed ? [] : [['Counted as', <code key="identity">{identity}</code>] as const]),
            ['Fingerprint', <code key="fingerprint">{fingerprint}</code>],
            [
              'Denials',
              <a key="denials" href={`/limits?fingerprint=${fingerprint}`}>
                Find it among the most limited
              </a>,
            ],
          ]}
        />
      </section>
      <Card
        title="Buckets"
        actions={
          buckets.length > 0 && <ActionMenu actions={[resetting(identity, undefined)]} onDone={reload} />
        }
      >
        {buckets.length === 0 ? (
          <p class="quiet">Nothing limits it now: all its buckets are empty.</p>
        ) : (
          <BucketTable identity={identity} buckets={buckets} onDone={reload} />
        )}
      </Card>
      <Card
        title="Overrides"
        actions={may('limit.override') && <Button onClick={() => setSetting(true)}>Set an override</Button>}
      >
        {overrides.length === 0 ? (
          <p class="quiet">No override. The normal limits apply.</p>
        ) : (
          <OverrideTable overrides={overrides} isOfOne onDone={reload} />
        )}
      </Card>
      {isSetting && <OverrideDialog identity={identity} onClose={() => setSetting(false)} onDone={reload} />}
    </>
  );
}
