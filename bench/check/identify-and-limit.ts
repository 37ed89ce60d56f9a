import type { BenchOptions } from '../bench.ts';
import { type ComparedCase, measureGroups } from '../load/in-turns.ts';
import type { LoadRequest } from '../load/load.ts';
import { withFixture } from '../parts/fixture.ts';

/** So many that none reaches a limit. */
const WEBHOOKS = 20_000;
const SESSIONS = 4_000;
const FIRST_ID = 1_000_000_000_000;
const CONNECTIONS = [8, 64];

const TITLES: Readonly<Record<string, string>> = {
  limit: 'no credential: limit, dispatch',
  'at once': 'identify and limit at once, dispatch: a route whose limits do not depend on the caller',
  'in turn': 'identify, limit, dispatch: a route that counts against the global bucket',
};

/** Requests through the edge to stubs of services: without a credential, and with a session on both kinds of routes. */
export async function identifyAndLimit(options: BenchOptions): Promise<void> {
  const groups = CONNECTIONS.map((connections) => ({
    title: `identify and limit, ${connections} connections`,
    connections,
  }));
  if (!groups.some(({ title }) => Object.keys(TITLES).some((name) => options.wants(title, name)))) return;
  await withFixture(async (fixture) => {
    const running = fixture.processes();
    const [webhooks = '', auth = ''] = (await running.start('stubs')).split(',');
    const url = `http://${await running.start('gateway', {
      PORT: '0',
      RATELIMIT_ADDRESS: await running.start('ratelimit'),
      WEBHOOK_DELIVERY_ADDRESS: webhooks,
      AUTH_ADDRESS: auth,
    })}`;
    await measureGroups(
      groups.map((group) => ({ ...group, cases: casesOf(url, group.connections) })),
      options,
    );
  });
}

function casesOf(url: string, connections: number): ComparedCase[] {
  const common = { url, connections, compared_with: 'limit' };
  const codehost = (headers: (n: number) => Record<string, string>): LoadRequest[] =>
    requestsOf((path, n) => ({ method: 'POST', path: `${path}/codehost`, headers: headers(n), body: '{}' }));
  const cases: Readonly<Record<string, Pick<ComparedCase, 'requests' | 'expected'>>> = {
    limit: { requests: codehost(() => ({})), expected: 204 },
    'at once': { requests: codehost(session), expected: 204 },
    'in turn': {
      requests: requestsOf((path, n) => ({ method: 'GET', path, headers: session(n) })),
      expected: 200,
    },
  };
  return Object.entries(cases).map(([name, one]) => ({ name, what: TITLES[name] ?? '', ...common, ...one }));
}

function requestsOf(request: (path: string, n: number) => LoadRequest): LoadRequest[] {
  return Array.from({ length: WEBHOOKS }, (_, n) =>
    request(`/api/v1/webhooks/${FIRST_ID + n}/${String(n).padStart(64, 'a')}`, n),
  );
}

function session(n: number): Record<string, string> {
  return { authorization: `Bearer gth_${String(n % SESSIONS).padStart(36, 'a')}` };
}
