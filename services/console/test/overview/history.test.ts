import { describe, expect, it } from 'vitest';
import type { Growth } from '../../src/metrics/process-samples.ts';
import { DENIALS, REQUESTS } from '../../src/metrics/wanted.ts';
import { StepGrowth } from '../../src/overview/growths.ts';
import { History, MAX_STEPS } from '../../src/overview/history.ts';
import { RecentRoutes } from '../../src/overview/recent-routes.ts';

const HOUR_MS = 3_600_000;

function growth(name: string, by: number, labels: Record<string, string>): Growth {
  return { series: { name, labels: new Map(Object.entries(labels)) }, by };
}

/** Requests of a route in a step of ten seconds, all as long as this bound. */
function requests(route: string, count: number, le = 0.1, status = '200'): Growth[] {
  const labels = { method: 'GET', route, status };
  return [
    growth(`${REQUESTS}_count`, count, labels),
    ...[0.05, 0.1, 1, Infinity]
      .filter((bound) => bound >= le)
      .map((bound) =>
        growth(`${REQUESTS}_bucket`, count, {
          ...labels,
          le: bound === Infinity ? '+Inf' : String(bound),
        }),
      ),
  ];
}

function stepOf(...growths: Growth[]): StepGrowth {
  const step = new StepGrowth();
  step.add(growths, 10);
  return step;
}

describe('the history', () => {
  it('has rates per second, and quantiles by route, null where there were no requests', () => {
    const history = new History();
    history.add(1_000, stepOf(...requests('/a', 90), ...requests('/a', 10, 1, '503')));
    history.add(2_000, stepOf(growth(DENIALS, 5, { bucket: 'global' })));
    history.add(3_000, stepOf(...requests('/b', 20)));
    expect(history.series(4_000)).toEqual({
      times: [1_000, 2_000, 3_000],
      requests: [10, 0, 2],
      errors: [1, 0, 0],
      denied: { global: [0, 0.5, 0] },
      latency: {
        'GET /a': { p50_ms: [55.56, null, null], p99_ms: [910, null, null] },
        'GET /b': { p50_ms: [null, null, 50], p99_ms: [null, null, 99] },
      },
    });
    expect(history.series(4_000, 1)).toMatchObject({ times: [3_000], requests: [2], denied: {} });
  });

  it('keeps an hour at most, in steps of a fixed number', () => {
    const history = new History();
    for (let n = 1; n <= 3 * MAX_STEPS; n++) history.add(n, stepOf(...requests('/a', n)));
    const { times, latency } = history.series(3 * MAX_STEPS + 1);
    expect([times.length, times[0], times.at(-1)]).toEqual([MAX_STEPS, 2 * MAX_STEPS + 1, 3 * MAX_STEPS]);
    expect(latency['GET /a']?.p99_ms.length).toBe(MAX_STEPS);
    expect(history.series(2 * MAX_STEPS + 10 + HOUR_MS).times[0]).toBe(2 * MAX_STEPS + 11);
    expect(history.series(3 * MAX_STEPS + HOUR_MS)).toEqual({
      times: [],
      requests: [],
      errors: [],
      denied: {},
      latency: {},
    });
  });

  it('has a bounded number of series, and shows the busiest routes and the slowest others', () => {
    const history = new History();
    const routes = Array.from({ length: 1_000 }, (_, n) => requests(`/${n}`, 1_000 - n));
    const denials = Array.from({ length: 1_000 }, (_, n) => growth(DENIALS, 10, { bucket: `b${n}` }));
    history.add(1, stepOf(...routes.flat(), ...requests('/0', 1, 1), ...denials));
    history.add(2, stepOf(...requests('/200', 10, 1)));
    const { denied, latency } = history.series(3);
    expect(Object.keys(denied).length).toBe(201);
    expect(denied['(other)']).toEqual([800, 0]);
    const shown = Object.keys(latency);
    expect(shown.length).toBe(24);
    // The routes beyond the bound share a series, with the most requests.
    expect(shown.slice(0, 3)).toEqual(['(other)', 'GET /0', 'GET /1']);
    expect(shown).toContain('GET /200');
  });

  it('takes names as they are, whatever they are', () => {
    const history = new History();
    for (const name of ['__proto__', 'constructor', '', '"'])
      history.add(1, stepOf(...requests(name, 1), growth(DENIALS, 10, { bucket: name })));
    const { denied, latency } = history.series(2);
    expect(Object.keys(denied).toSorted()).toEqual(['', '"', '__proto__', 'constructor']);
    expect(Object.keys(latency).length).toBe(4);
  });
});

describe('the routes of the last minutes', () => {
  it('have the averages of their steps, the busiest first', () => {
    const routes = new RecentRoutes();
    routes.add(1, stepOf(...requests('/a', 10), ...requests('/b', 100)));
    routes.add(2, stepOf(...requests('/a', 10, 1, '500')));
    expect(routes.list(3)).toEqual([
      { route: 'GET /b', rate: 5, errors: 0, p50_ms: 50, p99_ms: 99 },
      { route: 'GET /a', rate: 1, errors: 0.5, p50_ms: 100, p99_ms: 982 },
    ]);
  });

  it('forget older steps, also while there are no new ones', () => {
    const routes = new RecentRoutes();
    for (let n = 1; n <= 100; n++) routes.add(n, stepOf(...requests(n <= 40 ? '/old' : '/new', 10)));
    expect(routes.list(101).map(({ route, rate }) => [route, rate])).toEqual([['GET /new', 1]]);
    expect(routes.list(HOUR_MS)).toEqual([]);
  });
});
