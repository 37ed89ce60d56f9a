import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import { observationsTable } from '../sessions/observations-table.ts';
import type { Outage } from './failures.ts';

interface FailuresPageOptions {
  readonly per_second: number;
  /** Sessions of the Gateway during the drill. */
  readonly sessions: number;
}

/** docs/operations-failures.md. */
export function failuresPage(
  outages: readonly Outage[],
  { per_second, sessions }: FailuresPageOptions,
): string {
  const rows = outages.map(({ killed, requests, failed, failing_seconds, back_seconds }) => [
    killed,
    String(requests),
    Object.entries(failed)
      .map(([kind, answers]) => `${kind}: ${counts(answers)}`)
      .join('; ') || 'nothing',
    failing_seconds === 0 ? '–' : `${failing_seconds} s`,
    killed === 'nothing' ? '–' : `${back_seconds} s`,
  ]);
  return `# What fails after a kill

\`npm run drill -- failures --write\` makes this page. It runs two replicas of each process behind Envoy, with one Redis and
one PostgreSQL, sends ${per_second} requests a second, and kills (\`kill -9\`) one part after the other. A killed part restarts after a
second, as under an orchestrator; PostgreSQL restarts at once. Everything ran on two cores, where starts take longer than
on separate machines.

${markdownTable(['Killed', 'Requests', 'Failed requests, by answer', 'Failing for', 'Back after'], rows)}
- The edge or Envoy repeats a request at the other replica if it only reads, or if its contract allows repeating it. Posts,
  executions and logins in flight on the killed process are not repeated, because they may have taken effect. Their clients
  get a 503 with \`Retry-After\`.
- Without Redis each replica of ratelimit counts alone, and admits its share of a limit (\`RATELIMIT_REPLICAS\`).
- Without PostgreSQL, requests that need it get 503 until it has recovered: here until its processes have ended and it has
  replayed its log. The services continue at once then. Replicas of PostgreSQL and their failover are up to the operator.

## What a client of the Gateway sees

During the drill ${sessions} sessions are connected through Envoy's \`/gateway\`. Each receives about three messages a second. The clients
heartbeat, resume and identify again by themselves. At the end, the events that they received are compared with chat's
messages.

${observationsTable(
  'Killed',
  outages.map(({ killed, observation }) => ({ part: killed, observation })),
)}
- **Connections closed**: 1006 is a connection that ended without a Close frame.
- **Last one back after**: from the kill until READY or RESUMED arrived at the last client whose connection had ended. A
  client waits up to a quarter of a second before it reconnects, and up to twice as long after each failed attempt.
- **Longest silence**: between two messages that one client received. **Slowest event**: from drawing a message's ID, just
  before its commit, to its arrival at a client, on a resume too.
- **Between sessions**: pairs of a client and a message posted after the client's session was lost with its replica and before
  the next session began. The client reads these messages from the channel. A session that lives or is resumed must have
  no **missed** events and no **duplicates**.
- Without auth, ended credentials are unknown; without chat or PostgreSQL there is no event log. Events wait then, and
  connections stay open.
`;
}

/** `3 × 503, 1 × no answer` */
function counts(answers: Readonly<Record<string, number>>): string {
  return Object.entries(answers)
    .map(([answer, times]) => `${times} × ${answer}`)
    .join(', ');
}
