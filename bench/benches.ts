import { auth } from './auth/auth.ts';
import type { Bench } from './bench.ts';
import { callers } from './callers/callers.ts';
import { capacity } from './capacity/capacity.ts';
import { chat } from './chat/chat.ts';
import { check } from './check/check.ts';
import { edge } from './edge/edge.ts';
import { idle } from './idle/idle.ts';
import { links } from './links/links.ts';
import { oauth2 } from './oauth2/oauth2.ts';
import { outages } from './outages/outages.ts';
import { processes } from './processes/processes.ts';
import { ratelimit } from './ratelimit/ratelimit.ts';
import { realtime } from './realtime/realtime.ts';
import { statements } from './statements/statements.ts';
import { store } from './store/store.ts';
import { telemetry } from './telemetry/telemetry.ts';
import { web } from './web/web.ts';
import { webhooks } from './webhooks/webhooks.ts';

/** Options that only some benchmarks take. All take --seconds and --json. */
export const BENCH_OPTIONS = ['rounds', 'minutes', 'only', 'quick', 'profile'] as const;
export type BenchOption = (typeof BENCH_OPTIONS)[number];

export const USUAL_OPTIONS: readonly BenchOption[] = ['rounds', 'minutes', 'only'];

export interface BenchEntry {
  readonly run: Bench;
  /** A line of the help text. */
  readonly about: string;
  /** Rounds, and their seconds, with which the benchmark ends within five minutes on two cores. */
  readonly rounds: number;
  readonly seconds: number;
  /** Default: the usual options. */
  readonly takes?: readonly BenchOption[];
}

export const BENCHES: Readonly<Record<string, BenchEntry>> = {
  edge: {
    run: edge,
    about: 'requests through the edge, with one more step in each row, compared with a bare Fastify route',
    rounds: 5,
    seconds: 1,
    takes: [...USUAL_OPTIONS, 'profile'],
  },
  links: {
    run: links,
    about: 'an RPC over the call stream, by grpc-js and connect-node: rate, processor time on each side',
    rounds: 5,
    seconds: 2,
  },
  ratelimit: {
    run: ratelimit,
    about: 'checks in memory and in Redis, over each link, compared with other rate limiters',
    rounds: 5,
    seconds: 2,
  },
  callers: {
    run: callers,
    about:
      'checks of 64 callers, unary and on one CheckStream, and through Envoy, beside envoyproxy/ratelimit; needs Go',
    rounds: 4,
    seconds: 1,
  },
  check: {
    run: check,
    about:
      "a request's check: bytes, frames, allocations and processor time by link; identify and limit at once",
    rounds: 5,
    seconds: 1,
  },
  outages: {
    run: outages,
    about: "admissions of ratelimit's replicas while Redis is down for the seconds of a round",
    rounds: 1,
    seconds: 2,
    takes: ['only'],
  },
  auth: {
    run: auth,
    about: 'logins, registrations and look-ups of sessions',
    rounds: 4,
    seconds: 3,
    takes: ['rounds', 'minutes'],
  },
  chat: {
    run: chat,
    about: 'posts, pages of messages, lists of guilds, permission checks, readers of the event log',
    rounds: 4,
    seconds: 1,
  },
  webhooks: {
    run: webhooks,
    about: 'executions and their processor time by process; rendering compared with JSON.parse',
    rounds: 5,
    seconds: 1,
  },
  oauth2: {
    run: oauth2,
    about: 'introspection and refresh, compared with oidc-provider on the same PostgreSQL',
    rounds: 5,
    seconds: 1,
  },
  realtime: {
    run: realtime,
    about: 'deliveries of the Gateway, compared with a bare ws server and Socket.IO; memory of a session',
    rounds: 5,
    seconds: 1,
    takes: [...USUAL_OPTIONS, 'quick'],
  },
  store: {
    run: store,
    about: 'a read by Prisma and by prepared SQL: processor time, memory, start',
    rounds: 4,
    seconds: 3,
  },
  statements: {
    run: statements,
    about: "PostgreSQL's part of an execution and of a post: statements, WAL, processor time",
    rounds: 3,
    seconds: 1,
    takes: ['rounds', 'only'],
  },
  telemetry: {
    run: telemetry,
    about: 'the cost of metrics and traces in processor time per request',
    rounds: 2,
    seconds: 5,
    takes: ['rounds', 'minutes'],
  },
  web: {
    run: web,
    about: 'first contentful paint of the pages; bytes of their scripts',
    rounds: 5,
    seconds: 4,
  },
  capacity: {
    run: capacity,
    about: 'processor time of each process by kind of request, a mix predicted and measured',
    rounds: 6,
    seconds: 1,
    takes: ['rounds', 'minutes'],
  },
  processes: {
    run: processes,
    about: 'the stack in eight processes, in two and in one: memory, rate, processor time',
    rounds: 5,
    seconds: 1,
  },
  idle: {
    run: idle,
    about: "the stack without clients: processor time, wake-ups and memory of each process, PostgreSQL's too",
    rounds: 3,
    seconds: 10,
    takes: ['rounds', 'only'],
  },
};
