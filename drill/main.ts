import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { failures } from './failures/failures.ts';
import { failuresPage } from './failures/failures-page.ts';
import { REPLICA_NAMES } from './fleet/fleet-replicas.ts';
import { rolling } from './rolling/rolling.ts';
import { rollingPage } from './rolling/rolling-page.ts';
import { observationsTable } from './sessions/observations-table.ts';
import { SESSIONS } from './sessions/watchers.ts';

const HELP = `npm run drill -- NAME [--rate N] [--rounds N] [--delay SECONDS] [--json]

Starts PostgreSQL, Redis, two replicas of each process and Envoy in front of the two edges, all on this machine, and
sends a steady mix of requests: reads, posts, webhook executions, introspections, pictures, a few logins. Sessions of
the Gateway stay connected and check their events.
  rolling       restarts each process in turn, by SIGTERM. Exits with 1 if a request failed, or if an event was
                missed, duplicated or out of order
  failures      kills one part after the other with SIGKILL, and reports what failed and for how long
  --rate N      requests a second (300)
  --rounds N    restarts of each process (1)
  --delay N     DRAIN_DELAY_SECONDS of every process (2)
  --only NAME   restarts only replicas whose name begins with NAME
  --write       writes docs/operations-rolling.md or docs/operations-failures.md
  --json        figures as JSON on standard output`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    delay: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [per_second, rounds, drain_delay_seconds] = [values.rate, values.rounds, values.delay].map(Number);
const say = (line: string): void => console.error(`drill: ${line}`);
const isUsable = (per_second ?? 0) > 0 && (rounds ?? 0) >= 1 && (drain_delay_seconds ?? -1) >= 0;
if (values.help || positionals.length !== 1 || !isUsable) usage();

if (positionals[0] === 'rolling') {
  const only = (name: string): boolean => name.startsWith(values.only);
  if (!REPLICA_NAMES.some(only)) {
    say(`no replica's name begins with ${values.only}; there are: ${REPLICA_NAMES.join(', ')}`);
    process.exit(2);
  }
  const result = await rolling({
    per_second: Number(per_second),
    rounds: Number(rounds),
    drain_delay_seconds: Number(drain_delay_seconds),
    sessions: SESSIONS,
    only,
    say,
  });
  if (values.write)
    write(
      'operations-rolling.md',
      rollingPage(result, {
        per_second: Number(per_second),
        drain_delay_seconds: Number(drain_delay_seconds),
        sessions: SESSIONS,
      }),
    );
  if (values.json) console.log(JSON.stringify(result, null, 2));
  else {
    console.table(
      result.restarts.map(({ failed, observation, ...restart }) => ({
        ...restart,
        failed: Object.values(failed).reduce((sum, one) => sum + one, 0),
      })),
    );
    console.log(
      observationsTable(
        'Restarted',
        result.restarts.map(({ process, observation }) => ({ part: process, observation })),
      ),
    );
    console.log(`${result.requests} requests, ${result.failures.length} failed`);
  }
  process.exit(result.succeeded ? 0 : 1);
}
if (positionals[0] === 'failures') {
  const options = {
    per_second: Number(per_second),
    drain_delay_seconds: Number(drain_delay_seconds),
    sessions: SESSIONS,
    say,
  };
  const outages = await failures(options);
  if (values.write) write('operations-failures.md', failuresPage(outages, options));
  console.log(values.json ? JSON.stringify(outages, null, 2) : failuresPage(outages, options));
  process.exit(0);
}
usage();

function write(page: string, text: string): void {
  writeFileSync(new URL(`../docs/${page}`, import.meta.url), text);
}

function usage(): never {
  (values.help ? console.log : console.error)(HELP);
  process.exit(values.help ? 0 : 2);
}
