import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { auth } from './auth/auth.ts';
import type { Bench } from './bench.ts';
import { capacity } from './capacity/capacity.ts';
import { chat } from './chat/chat.ts';
import { edge } from './edge/edge.ts';
import { links } from './links/links.ts';
import { oauth2 } from './oauth2/oauth2.ts';
import { oneProcess } from './one-process/one-process.ts';
import { outages } from './outages/outages.ts';
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
  'one-process': oneProcess,
};

const PROGRESS_EVERY_MS = 10_000;

const HELP = `npm run bench -- NAME [--rounds N] [--seconds N] [--json]

Measures, and prints medians of several rounds. Names: ${Object.keys(BENCHES).join(', ')}
  links         an RPC over the call stream beside grpc-js and connect-node, with its processor time on each side
  chat          posts, pages of messages and lists of guilds beside a bare Fastify route and GET /users/@me
  webhooks      executions beside a bare Fastify route, their processor time by process, rendering beside JSON.parse
  oauth2        introspection and refresh beside oidc-provider, with the processor time of a request
  realtime      deliveries of the Gateway beside a bare ws server and Socket.IO, how late they are, a session's memory
  telemetry     what metrics and traces cost of the processor time of a request of row c0
  web           first contentful paint of the pages beside a line of text from the edge; bytes of their scripts
  capacity      what each process takes for a request of each kind; a mix by the model and measured; cores by load
  one-process   the stack in processes of its own and in one: memory, requests a second, processor time of a request
  --rounds N    rounds of every case, in turn (5), after warming up
  --seconds N   of each case in each round (4)
  --quick       of realtime: a tenth of the sessions
  --json        figures as JSON on standard output
The load generator runs beside what it measures, on the same cores: compare the ratios of
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
