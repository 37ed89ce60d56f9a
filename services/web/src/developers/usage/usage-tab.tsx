import type { BucketUsage, GetUsageResponse } from '@gatehouse/proto/oauth2';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { formatNumber } from '../../shared/i18n/format.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { Trans } from '../../shared/i18n/trans.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { WhenLoaded } from '../../shared/when-loaded.tsx';
import { hashOf } from '../route.ts';
import type { TabProps } from '../tab-props.ts';
import { FailedRequests } from './failed-requests.tsx';

/** How the application uses the API. */
export function UsageTab({ application: { id } }: TabProps) {
  const path = `/oauth2/applications/${id}/usage`;
  const loaded = useLoaded(() => call<GetUsageResponse>('GET', path), [path]);
  return (
    <>
      <section class="card" aria-labelledby="view">
        <h2 id="view" tabIndex={-1}>
          {i18n._('Requests')}
        </h2>
        <WhenLoaded loaded={loaded}>
          {({ buckets }) =>
            buckets.length === 0 ? <NoRequests application_id={id} /> : <Buckets buckets={buckets} />
          }
        </WhenLoaded>
        {loaded.value !== undefined && (
          <p>
            <button type="button" onClick={() => void loaded.reload()}>
              {i18n._('Look again')}
            </button>
          </p>
        )}
      </section>
      {loaded.value !== undefined && loaded.value.buckets.length > 0 && (
        <FailedRequests errors={loaded.value.errors} />
      )}
    </>
  );
}

type Period = keyof Omit<BucketUsage, 'bucket'>;

function Buckets({ buckets }: { buckets: readonly BucketUsage[] }) {
  const [period, setPeriod] = useState<Period>('last_24_hours');
  const periods: Readonly<Record<Period, string>> = {
    last_24_hours: i18n._('Last 24 hours'),
    last_7_days: i18n._('Last 7 days'),
  };
  const counted = buckets.filter((bucket) => (bucket[period]?.requests ?? 0) > 0);
  return (
    <>
      <Select
        label={i18n._('Period')}
        value={period}
        onValue={(value) => setPeriod(value === 'last_7_days' ? value : 'last_24_hours')}
        options={Object.entries(periods).map(([value, text]) => ({ value, text }))}
      />
      <Table
        caption={i18n._('Requests by bucket')}
        columns={[i18n._('Bucket'), i18n._('Requests'), i18n._('Refused (429)')]}
      >
        {counted.map(({ bucket, [period]: count }) => (
          <tr key={bucket}>
            <td>
              <code dir="ltr">{bucket}</code>
            </td>
            <td>{formatNumber(count?.requests ?? 0)}</td>
            <td>{formatNumber(count?.limited ?? 0)}</td>
          </tr>
        ))}
      </Table>
      {counted.length === 0 && <p>{i18n._('There was no request in this period.')}</p>}
      <p class="hint">
        <Trans
          id="A bucket is a rate limit: requests that share a bucket share its limit. The <0>list of all buckets</0> has their limits. The numbers are a few seconds old."
          components={[
            // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
            <a key="link" href="/docs/rate-limits#buckets" />,
          ]}
        />
      </p>
    </>
  );
}

function NoRequests({ application_id }: { application_id: string }) {
  return (
    <EmptyState
      icon="list"
      action={
        <a class="button" href={hashOf(application_id, 'try')}>
          {i18n._('Try it')}
        </a>
      }
    >
      {i18n._(
        'There was no request in the last 7 days. Requests with a token of the application or of its bot are counted here, and those that failed are listed with their request IDs.',
      )}
    </EmptyState>
  );
}
