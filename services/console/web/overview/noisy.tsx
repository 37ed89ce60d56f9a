import { Name } from '@gatehouse/web/shared/ui/name.tsx';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { failedText } from '../applications/failed-text.ts';
import { hrefOf, pageOfIdentity } from '../parts/hrefs.ts';
import { Until } from '../parts/when.tsx';
import { countText } from '../text/numbers.ts';
import { executionsOf } from '../webhooks/outcomes.ts';
import type { Overview } from './snapshot.ts';

const SHOWN = 6;

/** Who is noisy now: each row leads to its page. */
export function Noisy({ noisy }: { noisy: Overview['noisy'] }) {
  const { webhooks, denied, applications } = noisy;
  return (
    <div class="noisy">
      <NoisyList
        title="Noisiest webhooks"
        all={{ href: '/webhooks', label: 'All webhooks' }}
        empty="No webhook ran."
      >
        {webhooks.slice(0, SHOWN).map(({ webhook, outcomes }) => (
          <NoisyRow
            key={webhook?.id}
            href={hrefOf('webhook', webhook?.id ?? '')}
            title={webhook?.name ?? webhook?.id ?? ''}
            value={countText(executionsOf(outcomes))}
            detail={webhook?.disablement ? 'executions · disabled' : 'executions'}
            also={creatorLink(webhook?.creator_id)}
          />
        ))}
      </NoisyList>
      <NoisyList
        title="Most limited"
        all={{ href: '/limits', label: 'All that are limited' }}
        empty="Nobody is limited."
      >
        {denied.slice(0, SHOWN).map((one) => (
          <NoisyRow
            key={`${one.bucket} ${one.fingerprint}`}
            href={one.identity ? hrefOf('identity', one.identity) : `/limits?fingerprint=${one.fingerprint}`}
            title={one.identity ?? `${one.kind}, hashed ${one.fingerprint}`}
            value={countText(one.denials)}
            detail={
              <>
                {one.bucket} · limited <Until ms={one.denied_until_ms} />
              </>
            }
            also={pageOfIdentity(one.identity)}
          />
        ))}
      </NoisyList>
      <NoisyList
        title="Busiest applications"
        all={{ href: '/applications', label: 'All applications' }}
        empty="No application sent a request."
      >
        {applications.slice(0, SHOWN).map(({ id, name, requests, errors }) => (
          <NoisyRow
            key={id}
            href={hrefOf('application', id)}
            title={name}
            value={countText(requests)}
            detail={`requests · ${failedText(errors)}`}
          />
        ))}
      </NoisyList>
    </div>
  );
}

function creatorLink(id: string | null | undefined): { href: string; text: string } | undefined {
  return id ? { href: hrefOf('account', id), text: `the creator, ${id}` } : undefined;
}

function NoisyList(props: {
  title: string;
  all: { href: string; label: string };
  empty: string;
  children: readonly ComponentChildren[];
}) {
  const { title, all, empty, children } = props;
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        <a href={all.href} aria-label={all.label}>
          All
        </a>
      </div>
      {children.length === 0 ? <p class="quiet">{empty}</p> : <ol class="noisy-rows">{children}</ol>}
    </section>
  );
}

function NoisyRow(props: {
  href: string;
  title: string;
  value: string;
  detail: ComponentChildren;
  /** The page of the thing itself. */
  also?: { readonly href: string; readonly text: string } | undefined;
}) {
  const { href, title, value, detail, also } = props;
  return (
    <li>
      <div class="noisy-words">
        <a href={href}>
          <Name text={title} isOneLine />
        </a>
        <span class="quiet">
          {detail}
          {also && (
            <>
              {' · '}
              <a href={also.href}>{also.text}</a>
            </>
          )}
        </span>
      </div>
      <strong>{value}</strong>
    </li>
  );
}
