import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it, test } from 'vitest';
import { ProcessSamples } from '../../src/metrics/process-samples.ts';
import { quantile } from '../../src/metrics/quantile.ts';
import { readSeries } from '../../src/metrics/read-series.ts';
import { numberOf, scanSamples } from '../../src/metrics/scan-samples.ts';
import { DENIALS, REQUESTS, SESSIONS } from '../../src/metrics/wanted.ts';

function samplesOf(text: string, ...wanted: string[]): [string, number][] {
  const found: [string, number][] = [];
  scanSamples(text, new Set(wanted), (series, value) => found.push([series, value]));
  return found;
}

describe('samples', () => {
  it('of wanted metrics are found among others, comments and empty lines', () => {
    const text = '# HELP a A.\n# TYPE a counter\na 1\nab 2\n\na{x="1"} 3\na{x="}"} 4 1700000000000\nb NaN';
    expect(samplesOf(text, 'a')).toEqual([
      ['a', 1],
      ['a{x="1"}', 3],
      ['a{x="}"}', 4],
    ]);
    expect(samplesOf(text, 'b')).toEqual([['b', Number.NaN]]);
  });

  it('have labels with any text, as prom-client writes it', async () => {
    const registry = new Registry();
    const gauge = new Gauge({ name: 'g', help: 'G.', labelNames: ['x', 'y'], registers: [registry] });
    const texts = ['', 'a b', '"', '\\', '\n', '}', '" 5', '\\"} 7', ',y="', 'é€😀'];
    for (const [index, x] of texts.entries()) gauge.set({ x, y: 'end' }, index);
    const found = samplesOf(await registry.metrics(), 'g');
    expect(found.map(([series]) => readSeries(series).labels.get('x'))).toEqual(texts);
    expect(found.map(([, value]) => value)).toEqual(texts.map((_, index) => index));
  });

  it.each([
    ['a', 'no value'],
    ['a x', 'no number'],
    ['a 1 x', 'no timestamp'],
    ['a 1 2 3', 'too much'],
    ['a{x="1" 1', 'open labels'],
    ['a{x="1"}1', 'no space'],
    ['a 0x10', 'hexadecimal'],
  ])('%j is refused: %s', (text) => {
    expect(() => samplesOf(text, 'a')).toThrow('not in Prometheus');
    expect(samplesOf(text, 'b')).toEqual([]);
  });

  it.each([
    'a{',
    'a}',
    'a{x}',
    'a{x=1}',
    'a{x="1"y="2"}',
    'a{x="1",x="2"}',
    'a{="1"}',
    'a{x="\\q"}',
    '{}',
    '',
  ])('the series %j is refused', (text) => {
    expect(() => readSeries(text)).toThrow('not in Prometheus');
  });

  it('have values of every form', () => {
    const values = ['1', '-1', '+1', '1.5', '.5', '1.', '1e3', '1E-3', '+Inf', '-Inf'].map(numberOf);
    expect(values).toEqual([1, -1, 1, 1.5, 0.5, 1, 1000, 0.001, Infinity, -Infinity]);
    for (const text of ['', '1,5', 'Infinity', '1 ', '--1', 'e3']) expect(numberOf(text)).toBe(undefined);
  });
});

describe('the growth of counters', () => {
  const denied = (global: number, sudo?: number) =>
    [
      `${DENIALS}{bucket="global"} ${global}`,
      ...(sudo === undefined ? [] : [`${DENIALS}{bucket="sudo"} ${sudo}`]),
    ].join('\n');
  const grown = (samples: ProcessSamples, text: string) =>
    samples.take(text).map(({ series, by }) => [series.labels.get('bucket'), by]);

  it('is unknown at first, and then what was added', () => {
    const samples = new ProcessSamples();
    expect(grown(samples, denied(100))).toEqual([]);
    expect(grown(samples, denied(100))).toEqual([]);
    expect(grown(samples, denied(103, 2))).toEqual([
      ['global', 3],
      ['sudo', 2],
    ]);
  });

  it('after a restart is everything that the new process counted', () => {
    const samples = new ProcessSamples();
    samples.take(denied(100, 50));
    expect(grown(samples, denied(7))).toEqual([['global', 7]]);
    expect(grown(samples, denied(8, 1))).toEqual([
      ['global', 1],
      ['sudo', 1],
    ]);
  });

  it('is not of gauges, whose last value counts', () => {
    const samples = new ProcessSamples();
    samples.take(`${SESSIONS}{state="connected"} 5`);
    expect(samples.take(`${SESSIONS}{state="connected"} 6`)).toEqual([]);
    expect([...samples.values(SESSIONS)].map(({ value }) => value)).toEqual([6]);
    samples.take('');
    expect([...samples.values(SESSIONS)]).toEqual([]);
  });

  it('of more series than a process has is refused', () => {
    const text = Array.from({ length: 60_000 }, (_, n) => `${DENIALS}{bucket="${n}"} 1`).join('\n');
    expect(() => new ProcessSamples().take(text)).toThrow('more than 50000 series');
  });
});

describe('quantiles', () => {
  const buckets = (...counts: [number, number][]) => new Map(counts);

  it('are linear within a bucket, and the largest bound beyond the buckets', () => {
    const all = buckets([0.1, 10], [1, 90], [Infinity, 100]);
    expect(quantile(0.05, all)).toBeCloseTo(0.05);
    expect(quantile(0.5, all)).toBeCloseTo(0.1 + (0.9 * 40) / 80);
    expect(quantile(0.99, all)).toBe(1);
    expect(quantile(0.5, buckets([0.1, 0], [1, 0], [Infinity, 0]))).toBe(undefined);
    expect(quantile(0.5, buckets())).toBe(undefined);
  });
});

test('a histogram of prom-client becomes rates by route', async () => {
  const registry = new Registry();
  const histogram = new Histogram({
    name: REQUESTS,
    help: 'R.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.1, 1],
    registers: [registry],
  });
  const other = new Counter({ name: 'other_total', help: 'O.', registers: [registry] });
  const samples = new ProcessSamples();
  samples.take(await registry.metrics());
  other.inc();
  histogram.observe({ method: 'GET', route: '/a', status: '200' }, 0.05);
  const grown = samples.take(await registry.metrics());
  expect(grown.map(({ series, by }) => [series.name, series.labels.get('le'), by])).toEqual([
    [`${REQUESTS}_bucket`, '0.1', 1],
    [`${REQUESTS}_bucket`, '1', 1],
    [`${REQUESTS}_bucket`, '+Inf', 1],
    [`${REQUESTS}_count`, undefined, 1],
  ]);
});
