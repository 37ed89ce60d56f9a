import { join } from 'node:path';
import { startEmbeddedPostgres } from '@gatehouse/kit/embedded-postgres';
import { closers } from '@gatehouse/kit/lifecycle';
import { testDataFolder } from '@gatehouse/kit/testing/data-folder';
import { startSuite } from '../suite.ts';
import type { BenchOptions } from './bench.ts';
import { type LoadRequest, type LoadResult, load, median } from './load.ts';
import { processes } from './processes.ts';
import { seed } from './seed.ts';

/** What is measured: where, with how many connections. */
interface Case {
  readonly name: string;
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  readonly expected: number;
}

/** Before anything counts: the compiler needs some seconds of each case. */
const WARM_SECONDS = 5;
const TRANSPORTS = ['stream', 'unary'] as const;
const MESSAGE = JSON.stringify({ content: 'Deployed build 4711 to production.' });

/**
 * What the edge costs: (a) a bare Fastify route; (b) a public route with its limit and a service that
 * answers at once; (c) the same with a session, identified by auth in PostgreSQL, and, as c0, by an
 * auth that answers at once; (d) a webhook execution stored in PostgreSQL with fsync on. All in one
 * run, interleaved; over the call stream and over unary RPCs.
 */
export async function edge({ rounds, seconds, say }: BenchOptions): Promise<Record<string, unknown>> {
  const { path: folder, remove } = await testDataFolder('bench');
  const parts = closers();
  parts.add('folder', remove);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
    parts.add('postgres', () => postgres.close());
    const running = processes(folder);
    parts.add('processes', () => running.stop());
    const cases: Case[] = [];
    const bare = `http://${await running.start('bare')}`;
    const atOnce = await running.start('at-once');
    let filled: Awaited<ReturnType<typeof seed>> | undefined;
    for (const transport of TRANSPORTS) {
      say(`starting a suite over ${transport}`);
      const env = { ...process.env, RPC_TRANSPORT: transport };
      const suite = await startSuite({
        port: 0,
        data_dir: join(folder, transport),
        database_url: postgres.url,
        env,
      });
      parts.add('suite', () => suite.close());
      filled ??= await seed(postgres.url);
      const gatewayEnv = {
        ...env,
        PORT: '0',
        RATELIMIT_ADDRESS: suite.addresses.ratelimit,
        WEBHOOK_DELIVERY_ADDRESS: atOnce,
      };
      const atOnceUrl = `http://${await running.start('gateway', { ...gatewayEnv, AUTH_ADDRESS: atOnce })}/api/v1`;
      const authUrl = `http://${await running.start('gateway', { ...gatewayEnv, AUTH_ADDRESS: suite.addresses.auth })}/api/v1`;
      cases.push(
        ...edgeCases(transport, { bare, atOnceUrl, authUrl, suiteUrl: `${suite.url}/api/v1` }, filled),
      );
    }
    return await measure(cases, { rounds, seconds, say });
  } finally {
    await parts.close();
  }
}

interface Urls {
  readonly bare: string;
  readonly atOnceUrl: string;
  readonly authUrl: string;
  readonly suiteUrl: string;
}

function edgeCases(
  transport: string,
  urls: Urls,
  { sessions, webhooks }: Awaited<ReturnType<typeof seed>>,
): Case[] {
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
    path: prefix(urls.suiteUrl) + path,
    headers: { 'content-type': 'application/json' },
    body: MESSAGE,
  }));
  const at = (
    connections: number,
    cases: Readonly<Record<string, [string, readonly LoadRequest[], number]>>,
  ) =>
    Object.entries(cases).map(([name, [url, requests, expected]]) => ({
      name: `${name} ${transport} ${connections}`,
      url,
      connections,
      requests,
      expected,
    }));
  const gets: Parameters<typeof at>[1] = {
    a: [urls.bare, [{ method: 'GET', path: '/' }], 200],
    b: [urls.atOnceUrl, get(urls.atOnceUrl), 200],
    c0: [urls.atOnceUrl, withSession(urls.atOnceUrl), 200],
    c: [urls.authUrl, withSession(urls.authUrl), 200],
  };
  const executions: typeof gets = { d: [urls.suiteUrl, execute, 204] };
  return [...at(64, gets), ...at(32, executions), ...at(8, gets), ...at(8, executions)];
}

/**
 * All cases in turn, a second each: whatever else the machine does in a minute falls on all of them, and bare
 * is measured within seconds of what is compared with it.
 */
async function measure(
  cases: readonly Case[],
  { rounds, seconds, say }: BenchOptions,
): Promise<Record<string, unknown>> {
  const results = new Map<string, LoadResult[]>(cases.map(({ name }) => [name, []]));
  const turns = rounds * seconds;
  for (let turn = 0; turn <= turns; turn++) {
    for (const { name, url, connections, requests, expected } of cases) {
      const target = new URL(url).origin;
      const result = await load({
        url: target,
        connections,
        seconds: turn === 0 ? WARM_SECONDS : 1,
        requests,
      });
      const others = Object.entries(result.statuses).filter(([status]) => Number(status) !== expected);
      if (others.length > 0) throw new Error(`${name} was answered ${JSON.stringify(result.statuses)}`);
      if (turn > 0) results.get(name)?.push(result); // the first turn warms up
    }
    if (turn % seconds === 0) say(turn === 0 ? 'warm' : `round ${turn / seconds} of ${rounds}`);
  }
  return Object.fromEntries(
    [...results].map(([name, of]) => {
      const [, transport, connections] = name.split(' ');
      const bare = results.get(`a ${transport} ${connections === '8' ? 8 : 64}`) ?? [];
      const ratios = of.map(({ per_second }, turn) => per_second / (bare[turn]?.per_second ?? Number.NaN));
      return [
        name,
        {
          per_second: Math.round(median(of.map((one) => one.per_second))),
          of_bare: Math.round(median(ratios) * 1000) / 1000,
          p50_ms: Math.round(median(of.map((one) => one.p50_ms)) * 100) / 100,
          p99_ms: Math.round(median(of.map((one) => one.p99_ms)) * 100) / 100,
        },
      ];
    }),
  );
}
