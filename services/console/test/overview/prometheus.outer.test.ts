import { silentLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DENIALS, REQUESTS } from '../../src/metrics/wanted.ts';
import type { Values } from '../../src/overview/history.ts';
import { type LongSeries, type LongWindow, openPrometheus } from '../../src/overview/prometheus.ts';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { commandOf } from '../visitor.ts';
import { backfilledPrometheus, type PastCounter, prometheusIsMissing } from './backfilled-prometheus.ts';

const SCRAPE_S = 15;
const HOUR_S = 3_600;
/** The first of the hours in which there were requests. */
const HOURS = 3;
const now_ms = Date.now();
const now_s = Math.floor(now_ms / 1_000);
const BUCKETS = ['0.01', '0.1', '1', '+Inf'];
const ROUTE = '/guilds/{guild_id}';

/** A counter of a replica that grows at this rate, from zero after each `restart_s`. */
function counter(series: string, per_second: number, hours = HOURS, restart_s = Infinity): PastCounter {
  const points: [number, number][] = [];
  for (let passed = 0; passed <= hours * HOUR_S; passed += SCRAPE_S)
    points.push([now_s - hours * HOUR_S + passed, per_second * (passed % restart_s)]);
  return { series, points };
}

/** What a replica counts of a route. `slow` is the bound that half of its requests exceed. */
function route(
  name: string,
  per_second: number,
  { slow = '0.01', status = '200', instance = 'a', hours = HOURS, restart_s = Infinity } = {},
): PastCounter[] {
  const labels = `job="gateway",instance="${instance}",method="GET",route="${name}",status="${status}"`;
  return [
    counter(`${REQUESTS}_count{${labels}}`, per_second, hours, restart_s),
    ...BUCKETS.map((le) =>
      counter(
        `${REQUESTS}_bucket{${labels},le="${le}"}`,
        le === '+Inf' || Number(le) > Number(slow) ? per_second : per_second / 2,
        hours,
        restart_s,
      ),
    ),
  ];
}

const MANY = Array.from({ length: 40 }, (_, n) => `/many/${n}`);

describe.skipIf(prometheusIsMissing)('the windows of a real Prometheus', () => {
  let prometheus: { url: string; close: () => Promise<void> };
  beforeAll(async () => {
    prometheus = await backfilledPrometheus([
      ...route(ROUTE, 4),
      ...route(ROUTE, 4, { instance: 'b', restart_s: 1_800 }),
      ...route(ROUTE, 2, { status: '503', slow: '0.1' }),
      ...MANY.flatMap((name, n) => route(name, (n + 1) / 1_000, { hours: 0.5 })),
      counter(`${DENIALS}{job="gateway",instance="a",bucket="global"}`, 0.25),
      counter(`${DENIALS}{job="gateway",instance="b",bucket="global"}`, 0.25),
      counter(`${DENIALS}{job="gateway",instance="b",bucket="never"}`, 0),
    ]);
  });
  afterAll(() => prometheus?.close());

  const ask = (window: LongWindow): Promise<LongSeries> =>
    openPrometheus(prometheus.url, silentLogger).series(window, now_ms);

  it.each([
    ['6h', 60],
    ['1d', 240],
    ['7d', 1_680],
  ] as const)('%s has a value for each step of %i s in which there was something', async (window, step_s) => {
    const { step_ms, series, problem } = await ask(window);
    expect(problem).toBe(undefined);
    expect(step_ms).toBe(step_s * 1_000);
    const { times, requests, errors, denied, latency } = series;
    expect(times.length).toBe(360);
    const end_ms = Math.floor(now_s / step_s) * step_s * 1_000;
    expect([times[0], times.at(-1)]).toEqual([end_ms - 359 * step_ms, end_ms]);
    expect(Object.keys(denied)).toEqual(['global']);
    const all = [requests, errors, denied.global ?? []];
    for (const { p50_ms, p99_ms } of Object.values(latency)) all.push(p50_ms, p99_ms);
    for (const values of all) expect(values.length).toBe(360);

    const busy = times.flatMap((at_ms, step) =>
      at_ms / 1_000 > now_s - HOURS * HOUR_S + 2 * step_s ? [step] : [],
    );
    expect(busy.length).toBeGreaterThan(3);
    const steps = (values: Values) => busy.map((step) => values[step] ?? Number.NaN);
    for (const rate of steps(requests)) expect(rate).toBeGreaterThan(8.5);
    for (const rate of steps(requests)) expect(rate).toBeLessThan(12);
    for (const rate of steps(errors)) expect(rate).toBeCloseTo(2);
    for (const rate of steps(denied.global ?? [])) expect(rate).toBeCloseTo(0.5);
    expect(requests[0]).toBe(null);
    expect(errors[0]).toBe(null);
  });

  it('have the quantiles of the 24 busiest routes', async () => {
    const { latency } = (await ask('6h')).series;
    expect(Object.keys(latency).toSorted()).toEqual(
      [`GET ${ROUTE}`, ...MANY.slice(-23).map((name) => `GET ${name}`)].toSorted(),
    );
    const many = latency['GET /many/39'];
    // Half of the requests took up to 0.01 s, and the other half up to 0.1 s.
    expect(many?.p50_ms.at(-1)).toBeCloseTo(10);
    expect(many?.p99_ms.at(-1)).toBeCloseTo(10 + 90 * 0.98);
    expect(many?.p99_ms[0]).toBe(null);
    // A tenth of them took up to 1 s.
    expect(latency[`GET ${ROUTE}`]?.p99_ms.at(-1)).toBeGreaterThan(800);
  });

  it('without errors have zeros while there were requests', async () => {
    const fine = await backfilledPrometheus(route(ROUTE, 1));
    try {
      const { series } = await openPrometheus(fine.url, silentLogger).series('6h', now_ms);
      expect(series.errors.at(-1)).toBe(0);
      expect(series.errors[0]).toBe(null);
    } finally {
      await fine.close();
    }
  });

  it('are empty if it knows none of the metrics', async () => {
    const other = await backfilledPrometheus([counter('other_total', 1)]);
    try {
      const { series, problem } = await openPrometheus(`${other.url}/`, silentLogger).series('1d', now_ms);
      expect(problem).toBe(undefined);
      expect(new Set([...series.requests, ...series.errors])).toEqual(new Set([null]));
      expect([series.denied, series.latency]).toEqual([{}, {}]);
    } finally {
      await other.close();
    }
  });

  it('are those of the console’s overview', async () => {
    const service: ConsoleUnderTest = await startConsole('console_prometheus', {
      prometheus_url: prometheus.url,
    });
    try {
      const command = await commandOf(service, 'reader', 'read');
      const { status, body } = await command.get<{
        prometheus: boolean;
        step_ms: number;
        times: number[];
        requests: number[];
        notices: string[];
      }>('/api/overview?window=6h');
      expect([status, body.prometheus, body.step_ms]).toEqual([200, true, 60_000]);
      expect(body.times.length).toBe(360);
      expect(Math.max(...body.requests)).toBeGreaterThan(8.5);
      expect(body.notices).toEqual([]);
    } finally {
      await service.close();
    }
  });
});
