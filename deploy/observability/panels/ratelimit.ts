import type { DashboardSource } from './dashboard.ts';
import { processRow } from './process-row.ts';
import { most, quantile, sumRate } from './queries.ts';

const SELECTOR = 'job="ratelimit", instance=~"$instance"';
/** Without streams, which last for minutes. */
const CALLS = `${SELECTOR}, method!="CheckStream"`;
const STORE = 'ratelimit_store_seconds';

export const ratelimit: DashboardSource = {
  name: 'ratelimit',
  title: 'Ratelimit',
  description: 'Admissions and denials, by bucket and replica.',
  choices: [{ label: 'instance', of: 'ratelimit_checks_total' }],
  rows: [
    {
      title: 'Decisions',
      panels: [
        {
          title: 'Checks',
          unit: 'ops',
          queries: [
            [sumRate(`ratelimit_checks_total{${SELECTOR}}`), 'all'],
            [sumRate(`ratelimit_remembered_checks_total{${SELECTOR}}`), 'from remembered denials'],
            [sumRate(`ratelimit_degraded_checks_total{${SELECTOR}}`), 'without the store'],
          ],
        },
        {
          title: 'Charges admitted',
          unit: 'ops',
          queries: [
            [most(15, sumRate(`ratelimit_charges_admitted_total{${SELECTOR}}`, 'bucket')), '{{bucket}}'],
          ],
        },
        {
          title: 'Denials',
          unit: 'ops',
          often_empty: true,
          queries: [[most(15, sumRate(`ratelimit_denials_total{${SELECTOR}}`, 'bucket')), '{{bucket}}']],
        },
        {
          title: 'Calls',
          unit: 'ops',
          queries: [
            [
              sumRate(`rpc_server_duration_seconds_count{${SELECTOR}}`, 'method', 'code'),
              '{{method}} {{code}}',
            ],
          ],
        },
        {
          title: 'Call duration',
          unit: 's',
          queries: [
            [quantile(0.5, 'rpc_server_duration_seconds', CALLS), 'p50'],
            [quantile(0.99, 'rpc_server_duration_seconds', CALLS), 'p99'],
          ],
        },
        {
          title: 'Streams of checks',
          description: 'A stream takes no further checks while 1,024 are open.',
          unit: 'short',
          queries: [
            [`ratelimit_check_streams{${SELECTOR}}`, '{{instance}} streams'],
            [`ratelimit_stream_checks{${SELECTOR}}`, '{{instance}} open checks'],
          ],
        },
      ],
    },
    {
      title: 'Store',
      panels: [
        {
          title: 'Answers',
          description: '1: it does.',
          unit: 'short',
          queries: [[`ratelimit_store_up{${SELECTOR}}`, '{{instance}}']],
        },
        {
          title: 'Redis response time',
          description: 'A response after 25 ms is too late. Empty without Redis.',
          unit: 's',
          often_empty: true,
          queries: [
            [quantile(0.5, STORE, SELECTOR), 'p50'],
            [quantile(0.99, STORE, SELECTOR), 'p99'],
          ],
        },
        {
          title: 'Checks per script',
          description: 'Average. Empty without Redis.',
          unit: 'short',
          often_empty: true,
          queries: [
            [
              `${sumRate(`batch_size_sum{${SELECTOR}}`, 'instance')} / ${sumRate(`batch_size_count{${SELECTOR}}`, 'instance')}`,
              '{{instance}}',
            ],
          ],
        },
        {
          title: 'Buckets in memory',
          unit: 'short',
          queries: [[`ratelimit_live_buckets{${SELECTOR}}`, '{{instance}}']],
        },
        {
          title: 'Evicted buckets',
          unit: 'ops',
          queries: [[sumRate(`ratelimit_evicted_buckets_total{${SELECTOR}}`, 'instance'), '{{instance}}']],
        },
      ],
    },
    {
      title: 'At the edge',
      panels: [
        {
          title: 'Checks of the edge',
          unit: 'ops',
          queries: [
            [sumRate('gateway_limit_checks_total'), 'all'],
            [sumRate('gateway_limit_remembered_total'), 'denied from memory'],
            [sumRate('gateway_limit_local_total'), 'decided by the edge'],
            [sumRate('gateway_limit_degraded_total'), 'decided without the store'],
          ],
        },
        {
          title: 'Denials',
          unit: 'ops',
          often_empty: true,
          queries: [[most(15, sumRate('gateway_limit_denials_total', 'bucket')), '{{bucket}}']],
        },
        {
          title: 'Denials remembered',
          unit: 'short',
          queries: [['gateway_limit_remembered_denials', '{{instance}}']],
        },
      ],
    },
    processRow(SELECTOR),
  ],
};
