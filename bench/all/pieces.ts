import type { BenchEntry } from '../benches.ts';
import { deliveries } from './pieces/deliveries.ts';
import { REQUESTS, reads, writes } from './pieces/http.ts';
import { limits, limitsPrograms } from './pieces/limits.ts';
import { tokens } from './pieces/tokens.ts';

/** A measurement of `all`. Its rows have the figures per_second and p99_ms, in a table for each number of connections. */
export interface Piece extends BenchEntry {
  readonly heading: string;
  /** The unit of per_second. */
  readonly unit: string;
  /** A paragraph of the page. */
  readonly text: string;
  /** Builds the programs that it needs, before its time begins. */
  readonly prepare?: () => Promise<unknown>;
}

const ACCOUNTS = REQUESTS.toLocaleString('en');
const TURNS = { rounds: 5, seconds: 1 } as const;

/** In the order of the page. Each is a benchmark too, by its name. */
export const PIECES: Readonly<Record<string, Piece>> = {
  reads: {
    run: reads,
    about: 'a public route and GET /users/@me, beside bare Fastify and @fastify/http-proxy',
    ...TURNS,
    heading: 'Reads over HTTP',
    unit: 'requests per second',
    text: `GET /users/@me with a session of one of ${ACCOUNTS} accounts, and a public route that looks up a webhook in PostgreSQL:
both with all rate limits on. Beside them an empty Fastify route, and the same behind @fastify/http-proxy.`,
  },
  writes: {
    run: writes,
    about: 'webhook executions and posts of messages, beside bare Fastify',
    ...TURNS,
    heading: 'Writes over HTTP',
    unit: 'requests per second',
    text: `Executions of a thousand webhooks without \`wait\`, and messages of ${ACCOUNTS} accounts in 200 guilds, on PostgreSQL with
fsync on, with all rate limits on. Beside them an empty Fastify route.`,
  },
  tokens: {
    run: tokens,
    about: 'introspection and refresh, beside oidc-provider on the same PostgreSQL',
    ...TURNS,
    heading: 'OAuth2 tokens',
    unit: 'requests per second',
    text: `Introspection of any of half a million access tokens, and refresh with rotation of as many refresh tokens, over HTTP.
Beside them the package oidc-provider, with a storage adapter of prepared statements. All are on the same PostgreSQL with
fsync on, with eight connections each.`,
  },
  deliveries: {
    run: deliveries,
    about: 'deliveries of the Gateway, beside a bare ws server and Socket.IO',
    ...TURNS,
    heading: 'Deliveries of the Gateway',
    unit: 'deliveries per second',
    text: `Ten simultaneous messages of one channel, and as many sessions that may view it as there are connections. The rate
and p99 count from the first commit to the arrival at each session. Beside them a bare ws server and Socket.IO, which
broadcast the same frames, from their receipt.`,
  },
  limits: {
    run: limits,
    prepare: limitsPrograms,
    about: "Envoy's ShouldRateLimit by ghz, beside envoyproxy/ratelimit on the same Redis; needs Go",
    ...TURNS,
    heading: "Envoy's rate-limit protocol",
    unit: 'checks per second',
    text: `ShouldRateLimit with two descriptors for 5,000 clients, by ghz, one call at a time on each connection. Beside it
envoyproxy/ratelimit with the same limits on the same Redis: ours are leaky buckets, whose state every answer contains;
its limits are fixed windows.`,
  },
};
