import type { DashboardSource } from './dashboard.ts';
import { processRow } from './process-row.ts';
import { most, quantile, rate, sumRate } from './queries.ts';

const REQUESTS = 'http_server_request_duration_seconds';
const SELECTOR = 'job="gateway", instance=~"$instance"';
const ENVOY = 'envoy_http_conn_manager_prefix="front"';
const UPSTREAM = 'envoy_cluster_name="gateway"';

export const edge: DashboardSource = {
  name: 'edge',
  title: 'Edge',
  description: 'Requests, resources of clients at each edge, and Envoy in front.',
  choices: [{ label: 'instance', of: 'gateway_connections' }],
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'By route',
          unit: 'reqps',
          queries: [
            [most(15, sumRate(`${REQUESTS}_count{${SELECTOR}}`, 'method', 'route')), '{{method}} {{route}}'],
          ],
        },
        {
          title: 'By status',
          unit: 'reqps',
          stacked: true,
          queries: [[sumRate(`${REQUESTS}_count{${SELECTOR}}`, 'status'), '{{status}}']],
        },
        {
          title: '5xx by route',
          unit: 'reqps',
          often_empty: true,
          queries: [
            [
              most(15, sumRate(`${REQUESTS}_count{${SELECTOR}, status=~"5.."}`, 'method', 'route', 'status')),
              '{{status}} {{method}} {{route}}',
            ],
          ],
        },
        {
          title: 'Latency',
          unit: 's',
          queries: [
            [quantile(0.5, REQUESTS, SELECTOR), 'p50'],
            [quantile(0.95, REQUESTS, SELECTOR), 'p95'],
            [quantile(0.99, REQUESTS, SELECTOR), 'p99'],
          ],
        },
        {
          title: 'Slowest routes',
          description: 'p95.',
          unit: 's',
          queries: [
            [most(15, quantile(0.95, REQUESTS, SELECTOR, 'method', 'route')), '{{method}} {{route}}'],
          ],
        },
        {
          title: 'Routes by total time',
          description: 'Seconds of request time per second, by route.',
          unit: 'short',
          queries: [
            [most(15, sumRate(`${REQUESTS}_sum{${SELECTOR}}`, 'method', 'route')), '{{method}} {{route}}'],
          ],
        },
      ],
    },
    {
      title: 'Resources of clients',
      panels: [
        {
          title: 'Connections',
          unit: 'short',
          queries: [[`gateway_connections{${SELECTOR}}`, '{{instance}}']],
        },
        { title: 'WebSockets', unit: 'short', queries: [[`gateway_tunnels{${SELECTOR}}`, '{{instance}}']] },
        {
          title: 'Requests under way',
          unit: 'short',
          queries: [[`gateway_requests_under_way{${SELECTOR}}`, '{{instance}}']],
        },
        {
          title: 'Heap',
          unit: 'percentunit',
          queries: [[`gateway_heap_share{${SELECTOR}}`, '{{instance}}']],
        },
        {
          title: 'Bytes of clients',
          unit: 'bytes',
          stacked: true,
          queries: [
            [`sum(gateway_short_body_bytes{${SELECTOR}})`, 'short bodies'],
            [`sum(gateway_long_body_bytes{${SELECTOR}})`, 'long bodies'],
            [`sum(gateway_head_bytes{${SELECTOR}})`, 'heads'],
            [`sum(gateway_unsent_bytes{${SELECTOR}})`, 'answers not taken'],
          ],
        },
        {
          title: 'Waiting long bodies',
          unit: 'short',
          queries: [[`gateway_long_bodies_waiting{${SELECTOR}}`, '{{instance}}']],
        },
        {
          title: 'Refused at bounds',
          unit: 'ops',
          often_empty: true,
          queries: [[most(15, sumRate(`gateway_refused_total{${SELECTOR}}`, 'reason')), '{{reason}}']],
        },
      ],
    },
    {
      title: 'Calls to services, and limits',
      panels: [
        {
          title: 'Calls not answered with OK',
          unit: 'ops',
          often_empty: true,
          queries: [
            [
              most(15, sumRate(`rpc_client_failures_total{${SELECTOR}}`, 'service', 'method', 'code')),
              '{{code}} {{service}}/{{method}}',
            ],
          ],
        },
        {
          title: 'Checks of limits',
          unit: 'ops',
          queries: [
            [sumRate(`gateway_limit_checks_total{${SELECTOR}}`), 'all'],
            [sumRate(`gateway_limit_remembered_total{${SELECTOR}}`), 'denied from memory'],
            [sumRate(`gateway_limit_local_total{${SELECTOR}}`), 'decided by the edge'],
            [sumRate(`gateway_limit_degraded_total{${SELECTOR}}`), 'decided without the store'],
          ],
        },
        {
          title: 'Edges without ratelimit',
          unit: 'short',
          queries: [[`gateway_limit_alone{${SELECTOR}}`, '{{instance}}']],
        },
      ],
    },
    processRow(SELECTOR),
    {
      title: 'Envoy',
      panels: [
        {
          title: 'Requests by class',
          unit: 'reqps',
          stacked: true,
          queries: [
            [
              sumRate(`envoy_http_downstream_rq_xx{${ENVOY}}`, 'envoy_response_code_class'),
              '{{envoy_response_code_class}}xx',
            ],
          ],
        },
        {
          title: 'Connections',
          unit: 'short',
          queries: [[`envoy_http_downstream_cx_active{${ENVOY}}`, '{{instance}}']],
        },
        {
          title: 'Healthy edges',
          unit: 'short',
          queries: [
            [`envoy_cluster_membership_healthy{${UPSTREAM}}`, '{{instance}}'],
            [`envoy_cluster_membership_total{${UPSTREAM}}`, '{{instance}}, all'],
          ],
        },
        {
          title: 'Response time of the edge',
          description: 'p99.',
          unit: 's',
          queries: [[`${quantile(0.99, 'envoy_cluster_upstream_rq_time', UPSTREAM)} / 1000`, 'p99']],
        },
        {
          title: 'Retries and failed connections',
          unit: 'ops',
          queries: [
            [rate(`envoy_cluster_upstream_rq_retry{${UPSTREAM}}`), 'retries, {{instance}}'],
            [rate(`envoy_cluster_upstream_cx_connect_fail{${UPSTREAM}}`), 'connections, {{instance}}'],
          ],
        },
        { title: 'Memory', unit: 'bytes', queries: [['envoy_server_memory_allocated', '{{instance}}']] },
      ],
    },
  ],
};
