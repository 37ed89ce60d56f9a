import type { AdminWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import { failedText } from '../applications/failed-text.ts';
import { hrefOf, pageOfIdentity } from '../parts/hrefs.ts';
import { Last, Until } from '../parts/when.tsx';
import { countText } from '../text/numbers.ts';
import { executionsOf } from '../webhooks/outcomes.ts';
import { emptyText } from './empty-text.ts';
import { NoisyList, NoisyRow } from './noisy-list.tsx';
import type { BusyApplication, CreatedWebhook, Denied, OutOfUse, Overview } from './snapshot.ts';
import { StateBadge } from './state-badge.tsx';

const SHOWN = 6;
const TWO_HOURS = 'in this hour and the one before';

/** The noisiest webhooks, identities and applications: each row leads to its page. */
export function Noisy({ overview: { noisy, unavailable } }: { overview: Overview }) {
  const { webhooks, denied, applications } = noisy;
  return (
    <div class="noisy">
      <NoisyList
        title="Noisiest webhooks"
        period={`Executions ${TWO_HOURS}`}
        all={{ href: '/webhooks', label: 'All webhooks' }}
        empty={emptyText(unavailable, 'webhook-delivery', 'No webhook ran.')}
      >
        {webhooks.slice(0, SHOWN).map((one) => (
          <WebhookRow key={one.webhook?.id} {...one} />
        ))}
      </NoisyList>
      <NoisyList
        title="Most limited"
        period="Denials in ten minutes, without those that edges repeat by themselves"
        all={{ href: '/limits', label: 'All that are limited' }}
        empty={emptyText(unavailable, 'ratelimit', 'Nobody is limited.')}
      >
        {denied.slice(0, SHOWN).map((one) => (
          <DeniedRow key={`${one.bucket} ${one.fingerprint}`} one={one} />
        ))}
      </NoisyList>
      <NoisyList
        title="Busiest applications"
        period={`API requests ${TWO_HOURS}, without executions of webhooks`}
        all={{ href: '/applications', label: 'All applications' }}
        empty={emptyText(unavailable, 'oauth2', 'No application sent a request.')}
      >
        {applications.slice(0, SHOWN).map((one) => (
          <ApplicationRow key={one.id} {...one} />
        ))}
      </NoisyList>
    </div>
  );
}

function WebhookRow({ webhook, creator, outcomes, last_posted_at_ms }: CreatedWebhook) {
  const { posted = 0, refused = 0 } = outcomes ?? {};
  return (
    <NoisyRow
      href={hrefOf('webhook', webhook?.id ?? '')}
      title={webhook?.name ?? webhook?.id ?? ''}
      state={<StateBadge what="webhook" state={stateOf(webhook)} />}
      value={countText(executionsOf(outcomes))}
      detail={
        <>
          {countText(posted)} posted, {countText(refused)} refused · <LastPost ms={last_posted_at_ms} />
        </>
      }
      also={creatorLink(webhook?.creator_id, creator?.username)}
    />
  );
}

function LastPost({ ms }: { ms: number | null | undefined }) {
  if (!ms) return <>nothing posted in 24 h</>;
  return (
    <>
      last posted <Last ms={ms} />
    </>
  );
}

function stateOf(webhook: AdminWebhook | null): OutOfUse | null {
  if (webhook?.disablement) return 'disabled';
  return webhook?.creator_suspended ? 'creator_suspended' : null;
}

function DeniedRow({ one }: { one: Denied }) {
  const { identity, kind, fingerprint, bucket, state, denials, last_denied_at_ms, denied_until_ms } = one;
  return (
    <NoisyRow
      href={identity ? hrefOf('identity', identity) : `/limits?fingerprint=${fingerprint}`}
      title={identity ?? `${kind}, hashed ${fingerprint}`}
      isWhole
      state={<StateBadge what={kind} state={state} />}
      value={countText(denials)}
      detail={
        <>
          {bucket} · last denied <Last ms={last_denied_at_ms} />
          <LimitedUntil ms={denied_until_ms} />
        </>
      }
      also={pageOfIdentity(identity)}
    />
  );
}

/** Waits of a few seconds are over when they are read. */
const SHORT_MS = 10_000;

function LimitedUntil({ ms }: { ms: number }) {
  if (ms - Date.now() < SHORT_MS) return null;
  return (
    <>
      {' · limited '}
      <Until ms={ms} />
    </>
  );
}

function ApplicationRow(application: BusyApplication) {
  const { id, name, requests, errors } = application;
  return (
    <NoisyRow
      href={hrefOf('application', id)}
      title={name}
      state={<StateBadge what="application" state={stateOfApplication(application)} />}
      value={countText(requests)}
      detail={`API requests · ${failedText(errors)}`}
    />
  );
}

function stateOfApplication({ disabled, owner_suspended }: BusyApplication): OutOfUse | null {
  if (disabled) return 'disabled';
  return owner_suspended ? 'owner_suspended' : null;
}

function creatorLink(
  id: string | null | undefined,
  name: string | undefined,
): { href: string; text: string } | undefined {
  return id ? { href: hrefOf('account', id), text: `creator ${name ?? id}` } : undefined;
}
