import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { failures } from './failures/failures.ts';
import { failuresPage } from './failures/failures-page.ts';
import { REPLICA_NAMES } from './fleet/fleet-replicas.ts';
import { type RollingResult, rolling } from './rolling/rolling.ts';
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
const say = (line: string): void => console.error(`drill: ${line}`);
const options = {
  per_second: Number(values.rate),
  drain_delay_seconds: Number(values.delay),
  sessions: SESSIONS,
  say,
};
const rounds = Number(values.rounds);
const isUsable = options.per_second > 0 && rounds >= 1 && options.drain_delay_seconds >= 0;
if (values.help || positionals.length !== 1 || !isUsable) usage();
if (positionals[0] === 'rolling') await runRolling();
else if (positionals[0] === 'failures') await runFailures();
else usage();

async function runRolling(): Promise<never> {
  const only = (name: string): boolean => name.startsWith(values.only);
  if (!REPLICA_NAMES.some(only)) {
    say(`no replica's name begins with ${values.only}; there are: ${REPLICA_NAMES.join(', ')}`);
    process.exit(2);
  }
  const result = await rolling({ ...options, rounds, only });
  if (values.write) write('operations-rolling.md', rollingPage(result, options));
  if (values.json) console.log(JSON.stringify(result, null, 2));
  else print(result);
  process.exit(result.succeeded ? 0 : 1);
}

function print({ restarts, requests, failures }: RollingResult): void {
  console.table(
    restarts.map(({ failed, observation, ...restart }) => ({
      ...restart,
      failed: Object.values(failed).reduce((sum, one) => sum + one, 0),
    })),
  );
  const observations = restarts.map(({ process, observation }) => ({ part: process, observation }));
  console.log(observationsTable('Restarted', observations));
  console.log(`${requests} requests, ${failures.length} failed`);
}

async function runFailures(): Promise<never> {
  const outages = await failures(options);
  const page = failuresPage(outages, options);
  if (values.write) write('operations-failures.md', page);
  console.log(values.json ? JSON.stringify(outages, null, 2) : page);
  process.exit(0);
}

function write(page: string, text: string): void {
  writeFileSync(new URL(`../docs/${page}`, import.meta.url), text);
}

function usage(): never {
  (values.help ? console.log : console.error)(HELP);
  process.exit(values.help ? 0 : 2);
}
