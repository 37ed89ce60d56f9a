import type { DashboardSource } from './dashboard.ts';
import { most, quantile, sumRate } from './queries.ts';

const REQUESTS = 'http_server_request_duration_seconds';

export const overview: DashboardSource = {
  name: 'overview',
  title: 'Overview',
  description: 'The objectives, and where to look if they are missed.',
  rows: [
    {
      title: 'Now',
      panels: [
        { title: 'Requests', unit: 'reqps', number: true, queries: [[sumRate(`${REQUESTS}_count`), '']] },
        {
          title: 'Errors, 1 h',
          description: 'The share of 5xx. The objective is 0.1 %.',
          unit: 'percentunit',
          number: true,
          warns: [0.001, 0.0144],
          queries: [['edge:errors:ratio_rate1h', '']],
        },
        {
          title: 'Slow, 1 h',
          description: 'The share of requests that took longer than 0.25 s. The objective is 1 %.',
          unit: 'percentunit',
          number: true,
          warns: [0.01, 0.144],
          queries: [['edge:slow:ratio_rate1h', '']],
        },
        {
          title: 'Alerts',
          unit: 'short',
          number: true,
          warns: [1, 5],
          queries: [['count(ALERTS{alertstate="firing"}) or vector(0)', '']],
        },
        {
          title: 'Replicas missing',
          unit: 'short',
          number: true,
          warns: [1, 2],
          queries: [['sum(clamp_min(job:replicas_wanted - job:replicas_up, 0))', '']],
        },
        {
          title: 'Not ready',
          unit: 'short',
          number: true,
          warns: [1, 2],
          queries: [['count(process_ready == 0) or vector(0)', '']],
        },
      ],
    },
    {
      title: 'Traffic, errors, latency',
      panels: [
        {
          title: 'Requests by status',
          unit: 'reqps',
          stacked: true,
          queries: [[sumRate(`${REQUESTS}_count`, 'status'), '{{status}}']],
        },
        {
          title: 'Errors',
          description: 'The share of 5xx.',
          unit: 'percentunit',
          queries: [
            ['edge:errors:ratio_rate5m', '5 min'],
            ['edge:errors:ratio_rate1h', '1 h'],
            ['edge:errors:ratio_rate6h', '6 h'],
          ],
        },
        {
          title: 'Latency',
          unit: 's',
          queries: [
            [quantile(0.5, REQUESTS), 'p50'],
            [quantile(0.95, REQUESTS), 'p95'],
            [quantile(0.99, REQUESTS), 'p99'],
          ],
        },
        {
          title: 'Alerts that fire',
          unit: 'short',
          stacked: true,
          often_empty: true,
          queries: [
            ['count by (alertname, severity) (ALERTS{alertstate="firing"})', '{{severity}}: {{alertname}}'],
          ],
        },
        {
          title: 'Failed calls between processes',
          description: 'By caller and callee. Only codes of failures.',
          unit: 'ops',
          often_empty: true,
          queries: [
            [
              sumRate(
                'rpc_client_failures_total{code=~"UNKNOWN|DEADLINE_EXCEEDED|UNIMPLEMENTED|INTERNAL|UNAVAILABLE|DATA_LOSS"}',
                'job',
                'service',
                'code',
              ),
              '{{job}} → {{service}} {{code}}',
            ],
          ],
        },
        {
          title: 'Webhook executions',
          unit: 'ops',
          stacked: true,
          queries: [[sumRate('webhook_deliveries_total', 'outcome'), '{{outcome}}']],
        },
      ],
    },
    {
      title: 'Real-time Gateway',
      panels: [
        {
          title: 'Sessions',
          unit: 'short',
          stacked: true,
          queries: [['sum by (state) (realtime_sessions)', '{{state}}']],
        },
        {
          title: 'Dispatches',
          description: 'Dispatches, each to one session.',
          unit: 'ops',
          queries: [[sumRate('realtime_dispatches_total'), '']],
        },
        {
          title: 'From commit to dispatch',
          unit: 's',
          queries: [
            [quantile(0.5, 'realtime_delivery_lag_seconds'), 'p50'],
            [quantile(0.99, 'realtime_delivery_lag_seconds'), 'p99'],
          ],
        },
      ],
    },
    {
      title: 'Saturation',
      panels: [
        { title: 'Replicas', unit: 'short', queries: [['job:replicas_up', '{{job}}']] },
        {
          title: 'CPU',
          description: '1 is one core.',
          unit: 'short',
          stacked: true,
          queries: [[sumRate('process_cpu_seconds_total', 'job'), '{{job}}']],
        },
        {
          title: 'Memory',
          unit: 'bytes',
          stacked: true,
          queries: [['sum by (job) (process_resident_memory_bytes)', '{{job}}']],
        },
        {
          title: 'Event-loop delay',
          description: 'p99 of the slowest replica.',
          unit: 's',
          queries: [['max by (job) (nodejs_eventloop_lag_p99_seconds)', '{{job}}']],
        },
        {
          title: 'Queries waiting for a connection',
          unit: 'short',
          queries: [['sum by (job) (db_pool_waiting)', '{{job}}']],
        },
        {
          title: 'Outboxes',
          description: 'Rows not acknowledged by their receivers.',
          unit: 'short',
          queries: [['job:outbox_waiting:max', '{{job}} {{outbox}}']],
        },
      ],
    },
    {
      title: 'Limits',
      panels: [
        {
          title: 'Denials by bucket',
          unit: 'ops',
          often_empty: true,
          queries: [[most(10, sumRate('gateway_limit_denials_total', 'bucket')), '{{bucket}}']],
        },
        {
          title: 'Decided without ratelimit, or without its store',
          unit: 'ops',
          queries: [
            [sumRate('gateway_limit_local_total'), 'by the edge'],
            [sumRate('gateway_limit_degraded_total'), 'without the store'],
          ],
        },
        {
          title: 'Refused at bounds',
          unit: 'ops',
          often_empty: true,
          queries: [[most(15, sumRate('gateway_refused_total', 'reason')), '{{reason}}']],
        },
      ],
    },
  ],
};
