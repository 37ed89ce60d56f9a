import { sightsTable } from '../sessions/sights-table.ts';
import { table } from '../table.ts';
import type { Outage } from './failures.ts';

interface FailuresPageOptions {
  readonly per_second: number;
  /** Of the Gateway. */
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
  return `# What fails when something is killed

\`npm run drill -- failures --write\` makes this page: it kills (\`kill -9\`) one part after the other under ${per_second} requests a
second, of two replicas of each process behind Envoy, with one Redis and one PostgreSQL. What is killed is started again
after a second, as an orchestrator would; PostgreSQL at once. All of it ran on two cores, and starts take longer there than
on a machine of their own.

${table(['Killed', 'Requests meanwhile', 'What failed, with which answer, how often', 'For how long', 'It was back after'], rows)}

- A request that only reads, or may be repeated by its contract, is sent to the other replica, by the edge or by Envoy.
  What is not repeated is what was under way on the process that was killed and might have been done: a post, an
  execution, a login. Its client gets a 503 with \`Retry-After\`.
- Without Redis each ratelimit counts by itself, and admits its part of a limit (\`RATELIMIT_REPLICAS\`).
- Without PostgreSQL whatever needs it is 503 until it has recovered: here until its processes have ended and it has read
  its log again. The services go on at once then. Replicas of PostgreSQL and their failover are the
  operator's.

## What a client of the Gateway sees

Meanwhile ${sessions} sessions watch through Envoy's \`/gateway\`. Each is told of some three messages a second, and its client
heartbeats, resumes and identifies anew by itself. At the end, all that they were told is compared with chat's messages.

${sightsTable(
  'Killed',
  outages.map(({ killed, sights }) => ({ what: killed, sights })),
)}

- **Connections closed**: 1006 is a connection that ended without a Close frame.
- **The last was back after**: from the kill until the last client whose connection had ended was told READY or RESUMED. A
  client waits for up to a quarter of a second before it tries again, and up to twice as long each time that fails.
- **Longest silence**: between two messages that one client was told of. **Slowest event**: from when a message got its ID,
  just before its commit, until a client had it, also if that was on a resume.
- **Not told**: a client and a message that was posted after its session was lost with its replica, and before the next began.
  It reads it from the channel. Of a session that lives or is resumed, none may be **missed** or **doubled**.
- Without auth nobody knows whose session has ended, and without chat or PostgreSQL there is no log: events wait, and
  connections stay.
`;
}

/** `3 × 503, 1 × no answer` */
function counts(answers: Readonly<Record<string, number>>): string {
  return Object.entries(answers)
    .map(([answer, times]) => `${times} × ${answer}`)
    .join(', ');
}
