import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import { observationsTable } from '../sessions/observations-table.ts';
import type { Restart, RollingResult } from './rolling.ts';

interface RollingPageOptions {
  readonly per_second: number;
  readonly drain_delay_seconds: number;
  /** Sessions of the Gateway during the drill. */
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

\`npm run drill -- rolling --write\` makes this page. It runs two replicas of each process behind Envoy, with one Redis and
one PostgreSQL, sends ${per_second} requests a second, and restarts every process in turn (SIGTERM, DRAIN_DELAY_SECONDS=${drain_delay_seconds}).
Everything ran on two cores, so a starting process takes processor time from those that serve.

${markdownTable(['Restarted', 'All ready after', 'Median', '99th percentile', 'Failed'], rows)}
Of ${requests} requests ${failures.length === 0 ? 'none' : failures.length} failed.

## What a client of the Gateway sees

During the drill ${sessions} sessions are connected through Envoy's \`/gateway\`, as in
[operations-failures.md](operations-failures.md#what-a-client-of-the-gateway-sees). A replica of realtime that stops asks
its clients to reconnect (op 7). It has transferred their sessions to another replica, where they resume: no event is missed
or duplicated.

${observationsTable(
  'Restarted',
  restarts.map(({ process, observation }) => ({ part: process, observation })),
)}`;
}

function failed(restart: Restart): string {
  return (
    Object.entries(restart.failed)
      .map(([what, times]) => `${what}: ${times}`)
      .join('; ') || 'nothing'
  );
}
