import { join } from 'node:path';
import { openCertificateFolder } from '@gatehouse/certificates/certificate-folder';
import { certificateFilesIn } from '@gatehouse/kit/rpc/tls/certificate-files';
import { PEERS, type PeerName } from '@gatehouse/proto/peers';
import type { BenchOptions } from '../bench.ts';
import { type CaseGroup, measureGroups } from '../load/in-turns.ts';
import type { LoadRequest } from '../load/load.ts';
import { withFixture } from '../parts/fixture.ts';
import type { Processes } from '../parts/processes.ts';
import { profileEdge } from '../profile/profile-edge.ts';
import { seed } from '../seed.ts';
import { observed } from './observed.ts';

const MESSAGE = JSON.stringify({ content: 'Deployed build 4711 to production.' });

const CONNECTIONS = [64, 8] as const;

/**
 * Measures the edge: (bare) an empty Fastify route; (b) a public route with its limit, at a stub of a service; (c0) the same
 * with a session that a stub of auth identifies, and (c) that auth identifies in PostgreSQL; (d) a webhook execution,
 * stored in PostgreSQL with fsync on; (b+tls, c0+tls) b and c0 over mutual TLS; (c0+metrics) c0 with metrics and
 * scrapes; (c0+traces) c0 with 1 % of requests traced.
 */
export async function edge(options: BenchOptions): Promise<undefined> {
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
    await measureGroups(edgeGroups(urls, filled), options);
    return undefined;
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

function edgeGroups(urls: Urls, { sessions, webhooks }: Awaited<ReturnType<typeof seed>>): CaseGroup[] {
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
  const all: Readonly<Record<string, Served>> = {
    bare: ['an empty Fastify route', urls.bare, [{ method: 'GET', path: '/' }], 200],
    b: ['limit, dispatch to a stub', urls.stubsUrl, get(urls.stubsUrl), 200],
    c0: ['b with a session of a stub', urls.stubsUrl, withSession(urls.stubsUrl), 200],
    c: ['b with a session in PostgreSQL', urls.authUrl, withSession(urls.authUrl), 200],
    d: ['webhook execution', urls.stackUrl, execute, 204],
    'b+tls': ['b over mutual TLS', urls.tlsUrl, get(urls.tlsUrl), 200],
    'c0+tls': ['c0 over mutual TLS', urls.tlsUrl, withSession(urls.tlsUrl), 200],
    'c0+metrics': ['c0, counted and scraped', urls.metricsUrl, withSession(urls.metricsUrl), 200],
    'c0+traces': ['c0, 1 % of it traced', urls.tracesUrl, withSession(urls.tracesUrl), 200],
  };
  const group = (title: string, connections: number, names: readonly string[], reference: string) => ({
    title,
    connections,
    cases: names.flatMap((name) => {
      const [what, url, requests, expected] = all[name] ?? missing(name);
      return { name, what, url, connections, requests, expected, compared_with: reference };
    }),
  });
  return CONNECTIONS.flatMap((connections) => [
    group('steps', connections, ['bare', 'b', 'c0', 'c', 'd'], 'bare'),
    group('options', connections, ['c0', 'c0+metrics', 'c0+traces', 'c0+tls', 'b', 'b+tls'], 'c0'),
  ]);
}

/** What a case is, its URL, its requests, and the expected status. */
type Served = readonly [what: string, url: string, requests: readonly LoadRequest[], expected: number];

function missing(name: string): never {
  throw new Error(`there is no case ${name}`);
}
