import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { auth } from './auth/auth.ts';
import type { Bench } from './bench.ts';
import { capacity } from './capacity/capacity.ts';
import { chat } from './chat/chat.ts';
import { edge } from './edge/edge.ts';
import { idle } from './idle/idle.ts';
import { links } from './links/links.ts';
import { oauth2 } from './oauth2/oauth2.ts';
import { outages } from './outages/outages.ts';
import { processes } from './processes/processes.ts';
import { ratelimit } from './ratelimit/ratelimit.ts';
import { realtime } from './realtime/realtime.ts';
import { store } from './store/store.ts';
import { telemetry } from './telemetry/telemetry.ts';
import { web } from './web/web.ts';
import { webhooks } from './webhooks/webhooks.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  edge,
  links,
  ratelimit,
  outages,
  auth,
  chat,
  webhooks,
  oauth2,
  realtime,
  store,
  telemetry,
  web,
  capacity,
  processes,
  idle,
};

const PROGRESS_EVERY_MS = 10_000;

const HELP = `npm run bench -- NAME [--rounds N] [--seconds N] [--json]

Runs a benchmark, and prints medians of several rounds. Names: ${Object.keys(BENCHES).join(', ')}
  links         an RPC over the call stream, grpc-js and connect-node, with its processor time on each side
  chat          posts, pages of messages and lists of guilds, compared with a bare Fastify route and GET /users/@me
  webhooks      executions, compared with a bare Fastify route; processor time by process; rendering
  oauth2        introspection and refresh, compared with oidc-provider, with their processor time
  realtime      deliveries of the Gateway, compared with a bare ws server and Socket.IO; memory of a session
  telemetry     the cost of metrics and traces in processor time per request of case c0
  web           first contentful paint of the pages, compared with a line of text; bytes of their scripts
  capacity      processor time of each process by kind of request; a mix predicted and measured; cores by load
  processes     the stack in eight processes, in two and in one: memory, requests per second, processor time per request
  idle          the stack without clients, in eight processes and in one: processor time, wake-ups, memory, PostgreSQL's too
  --rounds N    rounds of every case, in turn, after warm-up (default: 5)
  --seconds N   seconds of each case in each round (default: 4)
  --quick       realtime: a tenth of the sessions
  --json        figures as JSON on standard output
The load generator runs on the same cores as the servers: compare the ratios of
one run, not figures of different machines.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const bench = BENCHES[positionals[0] ?? ''];
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
if (values.help || bench === undefined || !(rounds >= 1) || !(seconds >= 1)) {
  (values.help ? console.log : console.error)(HELP);
  process.exit(values.help ? 0 : 2);
}

const say = (line: string): void => console.error(`bench: ${line}`);
const startedAt = performance.now();
say(`${positionals[0]}: ${rounds} rounds of ${seconds} s for each case, after warming up`);
const progress = setInterval(() => {
  say(`${positionals[0]}: ${Math.round((performance.now() - startedAt) / 1_000)} s so far`);
}, PROGRESS_EVERY_MS);
const figures = await bench({
  rounds,
  seconds,
  quick: values.quick,
  say,
});
clearInterval(progress);
if (values.json) {
  console.log(
    JSON.stringify({ bench: positionals[0], rounds, seconds, node: process.version, figures }, null, 2),
  );
} else {
  console.log(
    `${positionals[0]}: medians of ${rounds} rounds of ${seconds} s, ${cpus().length} cores, Node ${process.version}`,
  );
  console.table(figures);
}
