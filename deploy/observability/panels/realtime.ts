import type { DashboardSource } from './dashboard.ts';
import { processRow } from './process-row.ts';
import { most, quantile, rate, sumRate } from './queries.ts';

const SELECTOR = 'job="realtime", instance=~"$instance"';
const LAG = 'realtime_delivery_lag_seconds';
const UPSTREAM = 'envoy_cluster_name="realtime"';

export const realtime: DashboardSource = {
  name: 'realtime',
  title: 'Real-time Gateway',
  description: 'Connections, starts and ends of sessions, and the latency of events.',
  choices: [{ label: 'instance', of: 'realtime_connections' }],
  rows: [
    {
      title: 'Sessions',
      panels: [
        {
          title: 'Connections',
          unit: 'short',
          queries: [[`realtime_connections{${SELECTOR}}`, '{{instance}}']],
        },
        {
          title: 'Sessions',
          description: 'Those without a connection can be resumed for 60 s.',
          unit: 'short',
          stacked: true,
          queries: [[`sum by (state) (realtime_sessions{${SELECTOR}})`, '{{state}}']],
        },
        {
          title: 'Identifies',
          unit: 'ops',
          stacked: true,
          queries: [[sumRate(`realtime_identifies_total{${SELECTOR}}`, 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Resumes',
          unit: 'ops',
          stacked: true,
          queries: [[sumRate(`realtime_resumes_total{${SELECTOR}}`, 'outcome'), '{{outcome}}']],
        },
        {
          title: 'Ended connections by code',
          description:
            '4000: the client did not read, or an error; 4004: its credential; 4009: silence; 1006: no code.',
          unit: 'ops',
          often_empty: true,
          queries: [[most(15, sumRate(`realtime_closes_total{${SELECTOR}}`, 'code')), '{{code}}']],
        },
        {
          title: 'Transferred sessions',
          description: 'To other replicas, by those that stop.',
          unit: 'ops',
          queries: [[rate(`realtime_handed_over_total{${SELECTOR}}`), '{{instance}}']],
        },
      ],
    },
    {
      title: 'Events',
      panels: [
        {
          title: 'From commit to dispatch',
          unit: 's',
          queries: [
            [quantile(0.5, LAG, SELECTOR), 'p50'],
            [quantile(0.95, LAG, SELECTOR), 'p95'],
            [quantile(0.99, LAG, SELECTOR), 'p99'],
          ],
        },
        {
          title: 'Time since the last log response',
          unit: 's',
          queries: [[`realtime_log_age_seconds{${SELECTOR}}`, '{{log}}, {{instance}}']],
        },
        {
          title: 'Dispatches',
          description: 'Each to one session.',
          unit: 'ops',
          queries: [[rate(`realtime_dispatches_total{${SELECTOR}}`), '{{instance}}']],
        },
        {
          title: 'Events of the logs',
          description: 'With receivers on the replica.',
          unit: 'ops',
          queries: [[rate(`realtime_events_total{${SELECTOR}}`), '{{instance}}']],
        },
        {
          title: 'Unsent bytes',
          unit: 'bytes',
          queries: [[`realtime_waiting_bytes{${SELECTOR}}`, '{{instance}}']],
        },
        {
          title: 'Kept for resumes',
          description:
            'Sent events whose form differs from the log, such as first GUILD_CREATEs. They expire after about two minutes.',
          unit: 'bytes',
          queries: [[`realtime_kept_bytes{${SELECTOR}}`, '{{instance}}']],
        },
        {
          title: 'Kept state',
          unit: 'short',
          queries: [
            [`realtime_guilds{${SELECTOR}}`, 'guilds, {{instance}}'],
            [`realtime_accounts{${SELECTOR}}`, 'accounts, {{instance}}'],
          ],
        },
        {
          title: 'Size of the state in memory',
          unit: 'bytes',
          queries: [
            [`realtime_state_bytes{${SELECTOR}}`, 'guilds and accounts, {{instance}}'],
            [`realtime_ready_bytes{${SELECTOR}}`, 'READYs, {{instance}}'],
          ],
        },
      ],
    },
    {
      title: 'Between clients and realtime',
      panels: [
        {
          title: 'WebSockets of Envoy',
          unit: 'short',
          queries: [[`envoy_cluster_upstream_cx_active{${UPSTREAM}}`, '{{instance}}']],
        },
        {
          title: 'Responses to upgrades, through Envoy',
          description: '1xx: a WebSocket.',
          unit: 'reqps',
          stacked: true,
          queries: [
            [
              sumRate(`envoy_cluster_upstream_rq_xx{${UPSTREAM}}`, 'envoy_response_code_class'),
              '{{envoy_response_code_class}}xx',
            ],
          ],
        },
        { title: 'WebSockets of edges', unit: 'short', queries: [['gateway_tunnels', '{{instance}}']] },
      ],
    },
    processRow(SELECTOR),
  ],
};
