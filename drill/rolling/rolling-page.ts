import { sightsTable } from '../sessions/sights-table.ts';
import { table } from '../table.ts';
import type { Restart, RollingResult } from './rolling.ts';

interface RollingPageOptions {
  readonly per_second: number;
  readonly drain_delay_seconds: number;
  /** Of the Gateway. */
  readonly sessions: number;
}

/** docs/operations-rolling.md. */
export function rollingPage(
  { requests, restarts, failures }: RollingResult,
  { per_second, drain_delay_seconds, sessions }: RollingPageOptions,
): string {
  const rows = restarts.map((restart) => [
    restart.process,
    `${restart.seconds} s`,
    `${restart.p50_ms} ms`,
    `${restart.p99_ms} ms`,
    failed(restart),
  ]);
  return `# What a rolling restart costs

\`npm run drill -- rolling --write\` makes this page: it ends every process in turn (SIGTERM, DRAIN_DELAY_SECONDS=${drain_delay_seconds}) and
starts it anew, under ${per_second} requests a second, of two replicas of each behind Envoy, with one Redis and one PostgreSQL. All of it
ran on two cores, so that a process which starts takes its time from those that serve.

${table(['Started anew', 'Until all were ready', 'Median', '99th percentile', 'Failed'], rows)}

Of ${requests} requests ${failures.length === 0 ? 'none' : failures.length} failed.

## What a client of the Gateway sees

Meanwhile ${sessions} sessions watch through Envoy's \`/gateway\`, as in
[operations-failures.md](operations-failures.md#what-a-client-of-the-gateway-sees). A replica of realtime that ends asks
its clients to reconnect (op 7). They resume with another, which has been given their sessions: nothing is missed or told twice.

${sightsTable(
  'Started anew',
  restarts.map(({ process, sights }) => ({ what: process, sights })),
)}
`;
}

function failed(restart: Restart): string {
  return (
    Object.entries(restart.failed)
      .map(([what, times]) => `${what}: ${times}`)
      .join('; ') || 'nothing'
  );
}
