import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@gatehouse/kit/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Collector, type CollectorOptions } from '../../src/overview/collector.ts';
import { replicasOf } from '../../src/overview/current-values.ts';
import type { OverviewSeries, Values } from '../../src/overview/history.ts';
import { metricsProcess } from './metrics-process.ts';

const STEP_MS = 20;
const ROUTE = 'GET /guilds/{guild_id}';
const route = '/guilds/{guild_id}';

type Target = [service: string, address: string];

/** Reads these processes until the test ends. */
function collect(...targets: Target[]) {
  return collectEvery({ step_ms: STEP_MS, idle_step_ms: STEP_MS }, ...targets);
}

/** The same, at other intervals; an idle one is a minute. */
function collectEvery(intervals: Omit<CollectorOptions, 'targets' | 'log'>, ...targets: Target[]) {
  const lines: string[] = [];
  const collector = new Collector({
    targets: targets.map(([service, address]) => ({ service, address })),
    log: createLogger({
      name: 'console',
      level: 'trace',
      destination: { write: (line) => lines.push(line) },
    }),
    idle_step_ms: 60_000,
    ...intervals,
  });
  onTestFinished(collector.close);
  return {
    collector,
    lines,
    series: (): OverviewSeries => collector.history.series(Date.now()),
    /** Which processes answer, by address. */
    up: () => Object.fromEntries(collector.processes().map(({ address, isUp }) => [address, isUp])),
    /** Waits until so many further steps have ended. */
    steps: async (count: number) => {
      let ended = 0;
      const stop = collector.onStep(() => ended++);
      await expect.poll(() => ended, { interval: 5 }).toBeGreaterThanOrEqual(count);
      stop();
    },
  };
}

/** A server that is no process of ours. */
async function server(answer: RequestListener): Promise<string> {
  const listening = createServer(answer);
  listening.listen(0, '127.0.0.1');
  await expect.poll(() => listening.listening).toBe(true);
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `127.0.0.1:${(listening.address() as AddressInfo).port}`; // a listening TCP server has one
}

const numbers = (values: Values): number[] => values.filter((value) => value !== null);
const sum = (values: Values): number => numbers(values).reduce((total, value) => total + value, 0);

describe('the collector', () => {
  it('adds up the processes of the edge: rates, errors, denials, and quantiles by route', async () => {
    const [one, other] = [await metricsProcess(), await metricsProcess()];
    const { collector, series, steps } = collect(['gateway', one.address], ['gateway', other.address]);
    await steps(2);
    for (let n = 0; n < 90; n++) (n % 2 === 0 ? one : other).request(route, 0.005);
    for (let n = 0; n < 10; n++) one.request(route, 0.5, '500');
    other.request('/users/@me', 0.05);
    one.deny('global', 3);
    other.deny('sudo');
    await expect.poll(() => sum(series().requests)).toBeGreaterThan(0);
    await steps(2);

    const { requests, errors, denied, latency } = series();
    expect(sum(errors)).toBeGreaterThan(0);
    for (const [step, rate] of errors.entries()) expect(rate).toBeLessThanOrEqual(requests[step] ?? 0);
    expect(Object.keys(denied).toSorted()).toEqual(['global', 'sudo']);
    expect(Math.min(...numbers(requests), ...numbers(errors))).toBe(0);
    expect(Object.keys(latency).toSorted()).toEqual([ROUTE, 'GET /users/@me']);
    for (const { p50_ms, p99_ms } of Object.values(latency)) {
      expect(Math.max(...numbers(p50_ms))).toBeLessThanOrEqual(Math.max(...numbers(p99_ms)));
      expect(p50_ms.filter((value) => value === null).length).toBeGreaterThan(0);
    }
    const [first] = collector.routes.list(Date.now());
    expect(first?.route).toBe(ROUTE);
    expect(first?.p50_ms).toBeLessThanOrEqual(10);
    expect(first?.p99_ms).toBeGreaterThan(100);
    expect(collector.routes.list(Date.now() + 3_600_000)).toEqual([]);
  });

  it('counts what a process had before its first reading for nothing', async () => {
    const process = await metricsProcess();
    for (let n = 0; n < 100_000; n++) process.request(route, 0.005);
    const { series, steps } = collect(['gateway', process.address]);
    await steps(3);
    expect(new Set(numbers(series().requests))).toEqual(new Set([0]));
    process.request(route, 0.005);
    await expect.poll(() => sum(series().requests)).toBeGreaterThan(0);
    expect(sum(series().requests)).toBeLessThan(100_000);
  });

  it('has no negative rates when a process restarts, and goes on with the new one', async () => {
    const process = await metricsProcess();
    const { series, steps, up } = collect(['gateway', process.address]);
    await steps(2);
    for (let n = 0; n < 100; n++) process.request(route, 0.5);
    process.deny('global', 100);
    await expect.poll(() => sum(series().requests)).toBeGreaterThan(0);
    for (let restart = 0; restart < 3; restart++) {
      await process.restart();
      process.request(route, 0.005);
      process.deny('global');
      await steps(3);
    }
    await expect.poll(up).toEqual({ [process.address]: true });
    const { requests, denied, latency } = series();
    for (const values of [requests, denied.global ?? [], latency[ROUTE]?.p99_ms ?? []])
      expect(Math.min(...numbers(values))).toBeGreaterThanOrEqual(0);
    const before = numbers(requests).filter((rate) => rate > 0).length;
    process.request(route, 0.005);
    await expect
      .poll(() => numbers(series().requests).filter((rate) => rate > 0).length)
      .toBeGreaterThan(before);
  });

  it('names a process that is away, and keeps the others', async () => {
    const [edge, away] = [await metricsProcess('2.0.0'), await metricsProcess()];
    const { collector, up, series, steps } = collect(['gateway', edge.address], ['auth', away.address]);
    await expect.poll(up).toEqual({ [edge.address]: true, [away.address]: true });
    away.leave();
    await expect.poll(up).toEqual({ [edge.address]: true, [away.address]: false });
    expect(replicasOf(collector.processes())).toEqual([
      { service: 'gateway', address: edge.address, version: '2.0.0', up: true, started_at_ms: 0 },
      { service: 'auth', address: away.address, version: '', up: false, started_at_ms: 0 },
    ]);
    edge.request(route, 0.005);
    await expect.poll(() => sum(series().requests)).toBeGreaterThan(0);
    away.returns();
    await expect.poll(up).toEqual({ [edge.address]: true, [away.address]: true });
    edge.leave();
    await expect.poll(() => up()[edge.address]).toBe(false);
    const { length } = series().times;
    await steps(3);
    expect(series().times.length).toBe(length);
  });

  it('says how many messages webhooks post now, without refused ones; nothing is known without a process', async () => {
    const webhooks = await metricsProcess();
    const { collector, steps } = collect(['webhook-delivery', webhooks.address]);
    await steps(2);
    const after = async (outcome: string): Promise<number | null> => {
      webhooks.execute(outcome);
      let posts: number | null = 0;
      const stop = collector.onStep(() => {
        posts = Math.max(posts ?? 0, collector.webhookPosts() ?? 0);
      });
      await steps(3);
      stop();
      return posts;
    };
    expect(await after('refused')).toBe(0);
    expect(await after('posted')).toBeGreaterThan(0);
    await expect.poll(() => collector.webhookPosts()).toBe(0);
    webhooks.leave();
    await expect.poll(() => collector.webhookPosts()).toBeNull();
  });

  it('finds soon after its start that a process answers, which started later', async () => {
    const late = await metricsProcess();
    late.leave();
    const { collector, up } = collectEvery({ step_ms: 60_000 }, ['auth', late.address]);
    await collector.look();
    expect(up()).toEqual({ [late.address]: false });
    late.returns();
    await expect.poll(up, { timeout: 5_000 }).toEqual({ [late.address]: true });
  });

  it('has read the processes again when somebody looks after a while', async () => {
    const process = await metricsProcess();
    const { collector, up } = collectEvery({ step_ms: 1, look_ms: 0 }, ['auth', process.address]);
    await expect.poll(up).toEqual({ [process.address]: true });
    process.leave();
    await collector.look();
    expect(up()).toEqual({ [process.address]: false });
  });

  it('names a process whose name does not resolve', async () => {
    const edge = await metricsProcess();
    const { up } = collect(['gateway', edge.address], ['auth', 'auth.invalid:9466']);
    await expect.poll(up).toEqual({ [edge.address]: true, 'auth.invalid:9466': false });
  });
});

describe('a server that is no process of ours', () => {
  const LONG = 'x'.repeat(1024 * 1024);
  const answers: Readonly<Record<string, RequestListener>> = {
    'that answers 404': (_, response) => response.writeHead(404).end(),
    'that answers 500 with a page': (_, response) =>
      response.writeHead(500).end('<h1>Sorry</h1>'.repeat(9_999)),
    'that redirects': (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    'that answers a page': (_, response) => response.end('<!doctype html>\n<h1>Hello</h1>'),
    'that answers nothing': (_, response) => response.end(),
    'that answers a broken sample': (_, response) => response.end('gatehouse_info{version="1" 1\n'),
    'that answers without end': (_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(LONG));
      };
      response.on('drain', write);
      write();
    },
    'that closes at once': (request) => request.socket.destroy(),
    'that closes amid the answer': (request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('gatehouse_info{version="1"} 1\n', () => request.socket.destroy());
    },
    'that never answers': () => undefined,
    'that never ends its answer': (_, response) => void response.write('gatehouse_info{version="1"} 1\n'),
  };
  it.each(Object.entries(answers))(
    '%s is shown as away, and takes nothing from the others',
    async (_, answer) => {
      const edge = await metricsProcess();
      let asked = 0;
      const wrong = await server((request, response) => {
        asked++;
        answer(request, response);
      });
      const { up, series, collector } = collect(['gateway', edge.address], ['auth', wrong]);
      await expect.poll(() => asked).toBeGreaterThanOrEqual(2);
      await expect.poll(up).toEqual({ [edge.address]: true, [wrong]: false });
      edge.request(route, 0.005);
      await expect.poll(() => sum(series().requests)).toBeGreaterThan(0);
      await collector.close();
      const after = asked;
      await new Promise((resolve) => setImmediate(resolve));
      expect(asked).toBe(after);
    },
  );

  it('is logged once for a while, by its address', async () => {
    const wrong = await server((_, response) => response.end('<h1>Hello</h1>'));
    const { lines, steps } = collect(['auth', wrong]);
    await steps(5);
    expect(lines.filter((line) => line.includes('metrics of processes cannot be read'))).toHaveLength(1);
    expect(lines.join('')).toContain(wrong);
  });
});
