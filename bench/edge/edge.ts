import { join } from 'node:path';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { PEERS, type PeerName } from '@gatehouse/proto/peers';
import type { BenchOptions } from '../bench.ts';
import { countUnexpected, inTurns, type LoadCase } from '../load/in-turns.ts';
import { type LoadRequest, type LoadResult, median } from '../load/load.ts';
import { withFixture } from '../parts/fixture.ts';
import type { Processes } from '../parts/processes.ts';
import { profileEdge } from '../profile/profile-edge.ts';
import { seed } from '../seed.ts';
import { observed } from './observed.ts';

const MESSAGE = JSON.stringify({ content: 'Deployed build 4711 to production.' });

/**
 * Measures the edge: (a) a bare Fastify route; (b) a public route with its limit, at a stub of a service; (c0) the same
 * with a session that a stub of auth identifies, and (c) that auth identifies in PostgreSQL; (d) a webhook execution,
 * stored in PostgreSQL with fsync on; (b+tls, c0+tls) b and c0 over mutual TLS; (c0+metrics) c0 with metrics and
 * scrapes; (c0+traces) c0 with 1 % of requests traced. All cases take turns in one run.
 */
export async function edge(options: BenchOptions): Promise<Record<string, unknown> | undefined> {
  if (options.profile === true) return profileEdge(options);
  options.say('starting a stack');
  return withFixture(async (fixture) => {
    const postgres = await fixture.postgres();
    const database_url = postgres.url;
    const running = fixture.processes();
    const certificates = join(fixture.folder, 'certificates');
    await makeCertificates(certificates);
    const stack = await fixture.stack({ database_url });
    const filled = await seed(database_url);
    const gateway = async (addresses: NodeJS.ProcessEnv): Promise<string> =>
      `http://${await running.start('gateway', { PORT: '0', ...addresses })}/api/v1`;
    const [webhooks = '', auth = ''] = (await running.start('stubs')).split(',');
    const plain = { RATELIMIT_ADDRESS: stack.addresses.ratelimit, WEBHOOK_DELIVERY_ADDRESS: webhooks };
    const stubsUrl = await gateway({ ...plain, AUTH_ADDRESS: auth });
    const authUrl = await gateway({ ...plain, AUTH_ADDRESS: stack.addresses.auth });
    const tlsUrl = await gateway(await overTls(running, certificates));
    const { metricsUrl, tracesUrl } = await observed(
      running,
      { PORT: '0', ...plain, AUTH_ADDRESS: auth },
      fixture.resources,
    );
    const bare = `http://${await running.start('bare')}`;
    const urls = { bare, stubsUrl, authUrl, tlsUrl, metricsUrl, tracesUrl, stackUrl: `${stack.url}/api/v1` };
    return measure(edgeCases(urls, filled), options);
  });
}

async function makeCertificates(folder: string): Promise<void> {
  const certificates = await openCertificateFolder(folder, { name: 'bench', valid_days: 1 });
  for (const name of PEERS) await certificates.issue(name, { domain: 'bench.internal', valid_days: 1 });
}

/** Starts the stubs behind an edge over mutual TLS, and returns the edge's settings for them. */
async function overTls(running: Processes, folder: string): Promise<NodeJS.ProcessEnv> {
  const settings = (name: PeerName): NodeJS.ProcessEnv => {
    const { cert, key, ca } = certificateFilesIn(folder, name);
    return { RPC_TLS_CERT: cert, RPC_TLS_KEY: key, RPC_TLS_CA: ca };
  };
  const [webhooks, auth] = (await running.start('stubs', { RPC_TLS_DIR: folder })).split(',');
  return {
    ...settings('gateway'),
    RATELIMIT_ADDRESS: await running.start('ratelimit', settings('ratelimit')),
    WEBHOOK_DELIVERY_ADDRESS: webhooks,
    AUTH_ADDRESS: auth,
  };
}

interface Urls {
  readonly bare: string;
  readonly stubsUrl: string;
  readonly authUrl: string;
  readonly tlsUrl: string;
  readonly metricsUrl: string;
  readonly tracesUrl: string;
  readonly stackUrl: string;
}

function edgeCases(urls: Urls, { sessions, webhooks }: Awaited<ReturnType<typeof seed>>): LoadCase[] {
  const prefix = (url: string) => new URL(url).pathname.replace(/\/$/, '');
  const get = (url: string): LoadRequest[] =>
    webhooks.map((path) => ({ method: 'GET', path: prefix(url) + path }));
  const withSession = (url: string): LoadRequest[] =>
    webhooks.map((path, index) => ({
      method: 'GET',
      path: prefix(url) + path,
      headers: { authorization: `Bearer ${sessions[index % sessions.length]}` },
    }));
  const execute: LoadRequest[] = webhooks.map((path) => ({
    method: 'POST',
    path: prefix(urls.stackUrl) + path,
    headers: { 'content-type': 'application/json' },
    body: MESSAGE,
  }));
  const at = (
    connections: number,
    cases: Readonly<Record<string, [string, string, readonly LoadRequest[], number]>>,
  ) =>
    Object.entries(cases).map(([name, [what, url, requests, expected]]) => ({
      name: `${name} ${connections}`,
      what,
      url,
      connections,
      requests,
      expected,
    }));
  const gets: Parameters<typeof at>[1] = {
    a: ['bare Fastify route', urls.bare, [{ method: 'GET', path: '/' }], 200],
    b: ['limit, dispatch', urls.stubsUrl, get(urls.stubsUrl), 200],
    c0: ['session, limit, dispatch', urls.stubsUrl, withSession(urls.stubsUrl), 200],
    c: ['session in PostgreSQL, limit, dispatch', urls.authUrl, withSession(urls.authUrl), 200],
  };
  const secure: typeof gets = {
    'b+tls': ['limit, dispatch over TLS', urls.tlsUrl, get(urls.tlsUrl), 200],
    'c0+tls': ['session, limit, dispatch over TLS', urls.tlsUrl, withSession(urls.tlsUrl), 200],
  };
  const shown: typeof gets = {
    'c0+metrics': ['c0, counted and read', urls.metricsUrl, withSession(urls.metricsUrl), 200],
    'c0+traces': ['c0, 1 % of it traced', urls.tracesUrl, withSession(urls.tracesUrl), 200],
  };
  const executions: typeof gets = { d: ['webhook execution', urls.stackUrl, execute, 204] };
  return [
    ...at(64, { ...gets, ...shown, ...secure }),
    ...at(32, executions),
    ...at(8, { ...gets, ...shown, ...secure }),
    ...at(8, executions),
  ];
}

async function measure(cases: readonly LoadCase[], options: BenchOptions): Promise<Record<string, unknown>> {
  const results = await inTurns(cases, options);
  return Object.fromEntries(
    cases.map(({ name, what, expected }) => {
      const own = results.get(name) ?? [];
      const connections = name.split(' ')[1];
      const bare = results.get(`a ${connections === '8' ? 8 : 64}`) ?? [];
      const ratios = own.map(({ per_second }, turn) => per_second / (bare[turn]?.per_second ?? Number.NaN));
      return [
        name,
        {
          what,
          per_second: Math.round(median(own.map((one) => one.per_second))),
          of_bare: Math.round(median(ratios) * 1000) / 1000,
          p50_ms: Math.round(median(own.map((one) => one.p50_ms)) * 100) / 100,
          p99_ms: Math.round(median(own.map((one) => one.p99_ms)) * 100) / 100,
          ...(what.startsWith('c0, ') && { of_c0: ratioTo(results, name, `c0 ${connections}`) }),
          unexpected: own.reduce((sum, one) => sum + countUnexpected(expected, one), 0),
        },
      ];
    }),
  );
}

/** The median ratio of two cases, turn by turn. */
function ratioTo(results: ReadonlyMap<string, readonly LoadResult[]>, name: string, other: string): number {
  const others = results.get(other) ?? [];
  const ratios = (results.get(name) ?? []).map(
    ({ per_second }, turn) => per_second / (others[turn]?.per_second ?? Number.NaN),
  );
  return Math.round(median(ratios) * 1000) / 1000;
}
