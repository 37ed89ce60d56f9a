import { connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import type { BenchOptions } from '../bench.ts';
import { type LoadRequest, type LoadResult, load } from '../load/load.ts';
import { takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { perSecond } from '../ratelimit/rate.ts';
import { figureOf, ratioOf } from '../report/figure.ts';
import type { Row } from '../report/table.ts';
import { anyToken, nthLogin, oneOfEach, populateAccounts } from './population.ts';

const WARM_SECONDS = 5;
const PATH = '/api/v1/users/@me';
/** Concurrent logins: more than auth hashes at once. */
const LOGINS = 8;
const IDENTIFICATIONS = 256;
const DURING = ', during logins';

/**
 * Measures identification: GET /users/@me with a session through the edge, compared with a bare Fastify route; the same
 * under a flood of logins; and Identify alone over the call stream, for random sessions out of a million. All cases
 * take turns in one run.
 */
export async function auth(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const postgres = await fixture.postgres();
    const running = fixture.processes();
    const bare = `http://${await running.start('bare')}`;
    const stack = await fixture.stack({
      database_url: postgres.url,
      // Each login comes from another address, because an address may log in only ten times.
      env: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    options.say('a million sessions');
    await populateAccounts(postgres.url, `${stack.url}/api/v1`);
    await measure({ bare, url: stack.url, auth: stack.addresses.auth ?? '' }, options);
  });
}

interface Targets {
  readonly bare: string;
  readonly url: string;
  readonly auth: string;
}

interface Round {
  readonly [name: string]: Partial<LoadResult>;
}

async function measure(targets: Targets, options: BenchOptions): Promise<void> {
  const { rounds, seconds } = options;
  const measured: Round[] = [];
  await takeTurns('identification', { warm: 1, counted: rounds }, options, async (isCounted) => {
    const results = await once(targets, isCounted ? seconds : WARM_SECONDS);
    if (isCounted) measured.push(results);
  });
  const names = Object.keys(measured[0] ?? {});
  options.report({ title: 'identification', rows: names.map((name) => rowOf(name, measured)) });
}

async function once({ bare, url, auth }: Targets, seconds: number): Promise<Round> {
  const me: LoadRequest[] = oneOfEach().map((token) => ({
    method: 'GET',
    path: PATH,
    headers: { authorization: `Bearer ${token}` },
  }));
  const getMe = (connections: number) => load({ url, connections, seconds, requests: me }).then(allOk);
  const round: Record<string, Partial<LoadResult>> = {
    'bare 32': await load({ url: bare, connections: 32, seconds, requests: [{ method: 'GET', path: '/' }] }),
    'GET /users/@me 32': await getMe(32),
    'GET /users/@me 8': await getMe(8),
  };
  const [logins, duringLogins] = await Promise.all([load(loginOrder(url, seconds)), getMe(8)]);
  round.logins = logins;
  round[`GET /users/@me 8${DURING}`] = duringLogins;
  round['Identify, call stream'] = { per_second: await identifications(auth, seconds) };
  return round;
}

function allOk(result: LoadResult): LoadResult {
  const others = Object.keys(result.statuses).filter((status) => status !== '200');
  if (others.length > 0) throw new Error(`GET /users/@me was answered ${JSON.stringify(result.statuses)}`);
  return result;
}

let lastLogin = 0;

/** Each request logs in another account, from another address. */
function loginOrder(url: string, seconds: number): Parameters<typeof load>[0] {
  const requests = Array.from({ length: LOGINS * 250 }, (): LoadRequest => {
    const n = lastLogin++;
    return {
      method: 'POST',
      path: '/api/v1/auth/login',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
      },
      body: JSON.stringify(nthLogin(n)),
    };
  });
  return { url, connections: LOGINS, seconds, requests };
}

async function identifications(address: string, seconds: number): Promise<number> {
  const { client, close } = connect(AuthServiceDefinition, { address });
  const kind = CallerKind.CALLER_KIND_SESSION;
  try {
    return await perSecond(
      {
        name: 'identify',
        concurrency: IDENTIFICATIONS,
        once: async () => {
          const { identity } = await client.identify({ kind, token: anyToken() }, { timeoutMs: 10_000 });
          return identity == null ? 0 : 1;
        },
      },
      seconds,
    );
  } finally {
    close();
  }
}

function rowOf(name: string, rounds: readonly Round[]): Row {
  const of = (one: string, member: 'per_second' | 'p50_ms' | 'p99_ms'): number[] =>
    rounds.flatMap((round) => round[one]?.[member] ?? []);
  const per_second = figureOf(of(name, 'per_second'));
  const p99_ms = of(name, 'p99_ms');
  if (p99_ms.length === 0) return { name, figures: { per_second } };
  const latencies = { p50_ms: figureOf(of(name, 'p50_ms')), p99_ms: figureOf(p99_ms) };
  if (!name.endsWith(DURING)) return { name, figures: { per_second, ...latencies } };
  const compared_with = name.slice(0, -DURING.length);
  const p99_ratio = ratioOf(p99_ms, of(compared_with, 'p99_ms'));
  return { name, compared_with, figures: { per_second, ...latencies, p99_ratio } };
}
