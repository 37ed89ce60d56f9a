import { connect } from '@gatehouse/kit/rpc';
import { AuthServiceDefinition } from '@gatehouse/proto/auth';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import type { BenchOptions } from '../bench.ts';
import { type LoadRequest, type LoadResult, load, median } from '../load/load.ts';
import { twoDecimals } from '../load/two-decimals.ts';
import { withFixture } from '../parts/fixture.ts';
import { perSecond } from '../ratelimit/rate.ts';
import { anyToken, nthLogin, oneOfEach, populateAccounts } from './population.ts';

const WARM_SECONDS = 5;
const PATH = '/api/v1/users/@me';
/** Concurrent logins: more than auth hashes at once. */
const LOGINS = 8;
const IDENTIFICATIONS = 256;

/**
 * Measures identification: GET /users/@me with a session through the edge, compared with a bare Fastify route; the same
 * under a flood of logins; and Identify alone over the call stream, for random sessions out of a million. All cases
 * take turns in one run.
 */
export async function auth(options: BenchOptions): Promise<Record<string, unknown>> {
  return withFixture(async (fixture) => {
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
    return measure({ bare, url: stack.url, auth: stack.addresses.auth ?? '' }, options);
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

async function measure(
  targets: Targets,
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const measured: Round[] = [];
  for (let round = 0; round <= rounds; round++) {
    const results = await once(targets, round === 0 ? WARM_SECONDS : seconds);
    if (round > 0) measured.push(results); // the first round warms up
    say(round === 0 ? 'warm' : `round ${round} of ${rounds}`);
  }
  const names = Object.keys(measured[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, figuresOf(name, measured)]));
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
  round['GET /users/@me 8, during logins'] = duringLogins;
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

function figuresOf(name: string, rounds: readonly Round[]): Record<string, number> {
  const results = rounds.map((round) => round[name] ?? {});
  const middle = (member: 'per_second' | 'p50_ms' | 'p99_ms') =>
    median(results.map((one) => one[member] ?? Number.NaN));
  const figures: Record<string, number> = { per_second: Math.round(middle('per_second')) };
  if (results[0]?.p50_ms !== undefined) {
    figures.p50_ms = twoDecimals(middle('p50_ms'));
    figures.p99_ms = twoDecimals(middle('p99_ms'));
  }
  if (name.endsWith('during logins')) {
    const ratios = rounds.map(
      (round) => (round[name]?.p99_ms ?? 0) / (round['GET /users/@me 8']?.p99_ms ?? Number.NaN),
    );
    figures.p99_to_without = twoDecimals(median(ratios));
  }
  return figures;
}
