import type { DashboardSource } from './dashboard.ts';
import { processRow } from './process-row.ts';
import { most, quantile, sumRate } from './queries.ts';

const SELECTOR = 'job="webhook-delivery", instance=~"$instance"';
const EXECUTIONS = 'webhook_deliveries_total';
const REQUESTS = 'http_server_request_duration_seconds';
const CALLS = 'rpc_server_duration_seconds';
const ROUTES = 'method="POST", route=~".*/webhooks/.*"';

export const webhooks: DashboardSource = {
  name: 'webhooks',
  title: 'Webhooks and deliveries',
  description: 'Outcomes of executions, and their duration in each process.',
  choices: [{ label: 'instance', of: EXECUTIONS }],
  rows: [
    {
      title: 'Executions',
      panels: [
        {
          title: 'By outcome',
          unit: 'ops',
          stacked: true,
          queries: [[sumRate(`${EXECUTIONS}{${SELECTOR}}`, 'outcome'), '{{outcome}}']],
        },
        {
          title: 'By dialect',
          unit: 'ops',
          stacked: true,
          queries: [[sumRate(`${EXECUTIONS}{${SELECTOR}}`, 'dialect'), '{{dialect}}']],
        },
        {
          title: 'Why nothing was posted',
          unit: 'ops',
          often_empty: true,
          queries: [
            [
              most(15, sumRate(`${EXECUTIONS}{${SELECTOR}, reason!=""}`, 'outcome', 'reason')),
              '{{outcome}}: {{reason}}',
            ],
          ],
        },
        {
          title: 'Refused',
          description: 'The share of executions, over 15 minutes.',
          unit: 'percentunit',
          queries: [['webhooks:refused:ratio_rate15m', 'refused']],
        },
        {
          title: 'Denials by bucket',
          unit: 'ops',
          often_empty: true,
          queries: [[sumRate('gateway_limit_denials_total{bucket=~"webhook.*"}', 'bucket'), '{{bucket}}']],
        },
        {
          title: 'Changes not acknowledged by chat',
          unit: 'short',
          queries: [['job:outbox_waiting:max{job="webhook-delivery"}', '{{outbox}}']],
        },
      ],
    },
    {
      title: 'On their way',
      panels: [
        {
          title: 'At the edge, by status',
          unit: 'reqps',
          stacked: true,
          queries: [[sumRate(`${REQUESTS}_count{${ROUTES}}`, 'status'), '{{status}}']],
        },
        {
          title: 'At the edge',
          unit: 's',
          queries: [
            [quantile(0.5, REQUESTS, ROUTES), 'p50'],
            [quantile(0.99, REQUESTS, ROUTES), 'p99'],
          ],
        },
        {
          title: 'In webhook-delivery',
          description: 'p95, by method.',
          unit: 's',
          queries: [[most(15, quantile(0.95, CALLS, SELECTOR, 'method')), '{{method}}']],
        },
        {
          title: 'In chat',
          unit: 's',
          queries: [
            [quantile(0.5, CALLS, 'job="chat", method="CreateWebhookMessage"'), 'p50'],
            [quantile(0.99, CALLS, 'job="chat", method="CreateWebhookMessage"'), 'p99'],
          ],
        },
        {
          title: 'Calls per batch',
          description: 'On average.',
          unit: 'short',
          queries: [
            [
              `${sumRate('batch_size_sum{batch=~"find_webhook|post"}', 'batch')} / ${sumRate('batch_size_count{batch=~"find_webhook|post"}', 'batch')}`,
              '{{batch}}',
            ],
          ],
        },
        {
          title: 'Failed calls to other services',
          unit: 'ops',
          often_empty: true,
          queries: [
            [sumRate(`rpc_client_failures_total{${SELECTOR}}`, 'service', 'code'), '{{service}} {{code}}'],
          ],
        },
      ],
    },
    processRow(SELECTOR),
  ],
};
