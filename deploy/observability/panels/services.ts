import type { DashboardSource } from './dashboard.ts';
import { processRow } from './process-row.ts';
import { most, quantile, sumRate } from './queries.ts';

const SELECTOR = 'job=~"$job"';
const CALLS = 'rpc_server_duration_seconds';
const STATEMENTS = 'db_query_duration_seconds';

export const services: DashboardSource = {
  name: 'services',
  title: 'Services and database',
  description: 'Calls between processes, statements, queues, and the work of each service.',
  choices: [{ label: 'job', of: 'process_ready' }],
  rows: [
    {
      title: 'Calls',
      panels: [
        {
          title: 'By method',
          unit: 'ops',
          queries: [
            [most(15, sumRate(`${CALLS}_count{${SELECTOR}}`, 'job', 'method')), '{{job}} {{method}}'],
          ],
        },
        {
          title: 'Slowest methods',
          description: 'p95.',
          unit: 's',
          queries: [[most(15, quantile(0.95, CALLS, SELECTOR, 'job', 'method')), '{{job}} {{method}}']],
        },
        {
          title: 'Methods by total time',
          description: 'Seconds of call time per second.',
          unit: 'short',
          queries: [[most(15, sumRate(`${CALLS}_sum{${SELECTOR}}`, 'job', 'method')), '{{job}} {{method}}']],
        },
        {
          title: 'Not answered with OK',
          unit: 'ops',
          often_empty: true,
          queries: [
            [
              most(15, sumRate(`${CALLS}_count{${SELECTOR}, code!="OK"}`, 'job', 'method', 'code')),
              '{{code}} {{job}} {{method}}',
            ],
          ],
        },
        {
          title: 'Failed calls to other processes',
          unit: 'ops',
          often_empty: true,
          queries: [
            [
              most(15, sumRate(`rpc_client_failures_total{${SELECTOR}}`, 'job', 'service', 'code')),
              '{{job}} → {{service}} {{code}}',
            ],
          ],
        },
        {
          title: 'Days until the certificate expires',
          unit: 'short',
          often_empty: true,
          queries: [
            [
              `(rpc_certificate_expires_timestamp_seconds{${SELECTOR}} - time()) / 86400`,
              '{{job}} {{instance}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Database',
      panels: [
        {
          title: 'Connections',
          unit: 'short',
          stacked: true,
          queries: [[`sum by (job, state) (db_pool_connections{${SELECTOR}})`, '{{job}} {{state}}']],
        },
        {
          title: 'Queries waiting for a connection',
          unit: 'short',
          queries: [[`db_pool_waiting{${SELECTOR}}`, '{{job}} {{instance}}']],
        },
        {
          title: 'Statements',
          unit: 'ops',
          queries: [
            [
              most(15, sumRate(`${STATEMENTS}_count{${SELECTOR}}`, 'job', 'statement')),
              '{{job}} {{statement}}',
            ],
          ],
        },
        {
          title: 'Statement duration',
          unit: 's',
          queries: [
            [quantile(0.5, STATEMENTS, SELECTOR, 'job'), '{{job}} p50'],
            [quantile(0.95, STATEMENTS, SELECTOR, 'job'), '{{job}} p95'],
          ],
        },
        {
          title: 'Slowest statements',
          description: 'p95.',
          unit: 's',
          queries: [
            [most(15, quantile(0.95, STATEMENTS, SELECTOR, 'job', 'statement')), '{{job}} {{statement}}'],
          ],
        },
        {
          title: 'Statements by total time',
          description: 'Seconds of statement time per second.',
          unit: 'short',
          queries: [
            [
              most(15, sumRate(`${STATEMENTS}_sum{${SELECTOR}}`, 'job', 'statement')),
              '{{job}} {{statement}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'What waits',
      panels: [
        {
          title: 'Calls per batch',
          description: 'On average.',
          unit: 'short',
          queries: [
            [
              `${sumRate(`batch_size_sum{${SELECTOR}}`, 'job', 'batch')} / ${sumRate(`batch_size_count{${SELECTOR}}`, 'job', 'batch')}`,
              '{{job}} {{batch}}',
            ],
          ],
        },
        {
          title: 'Calls waiting for a batch',
          unit: 'short',
          queries: [[`sum by (job, batch) (batch_waiting{${SELECTOR}})`, '{{job}} {{batch}}']],
        },
        {
          title: 'Outboxes',
          description: 'Rows not acknowledged by their receivers.',
          unit: 'short',
          queries: [[`job:outbox_waiting:max{${SELECTOR}}`, '{{job}} {{outbox}}']],
        },
        {
          title: 'Queued passwords and pictures',
          unit: 'short',
          queries: [
            ['sum(auth_password_hashing_waiting)', 'passwords'],
            ['sum(media_decoding_waiting)', 'pictures'],
          ],
        },
        {
          title: 'Duration of passwords and pictures',
          description: 'p95.',
          unit: 's',
          queries: [
            [quantile(0.95, 'auth_password_hashing_seconds'), 'passwords'],
            [quantile(0.95, 'media_decoding_seconds'), 'pictures'],
          ],
        },
      ],
    },
    {
      title: 'Accounts and events',
      panels: [
        {
          title: 'Steps of logins',
          unit: 'ops',
          stacked: true,
          queries: [[sumRate('auth_logins_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Sessions',
          unit: 'ops',
          queries: [
            [sumRate('auth_sessions_started_total', 'step'), 'started: {{step}}'],
            [sumRate('auth_sessions_ended_total', 'reason'), 'ended: {{reason}}'],
          ],
        },
        {
          title: 'Mail',
          unit: 'ops',
          often_empty: true,
          queries: [[sumRate('auth_mails_total', 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Readers of events',
          unit: 'short',
          queries: [
            ['sum by (instance) (chat_event_readers)', 'chat: {{instance}}'],
            ['sum by (instance) (auth_event_readers)', 'auth: {{instance}}'],
          ],
        },
        {
          title: 'Time since the end of an event log was read',
          unit: 's',
          queries: [
            ['chat_event_tail_age_seconds', 'chat: {{instance}}'],
            ['auth_event_tail_age_seconds', 'auth: {{instance}}'],
          ],
        },
        {
          title: 'Events followed',
          unit: 'ops',
          queries: [
            [sumRate('chat_events_followed_total', 'instance'), 'chat: {{instance}}'],
            [sumRate('auth_events_followed_total', 'instance'), 'auth: {{instance}}'],
          ],
        },
      ],
    },
    processRow(SELECTOR),
  ],
};
