import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { durations } from '../../src/metrics/durations.ts';

test('has the output of a prom-client histogram', async () => {
  const options = { name: 'work_seconds', help: 'How long', buckets_seconds: [0.01, 0.1, 1] } as const;
  const ours = new Registry();
  const theirs = new Registry();
  const observer = durations(ours, { ...options, labels: ['kind', 'code'] });
  const histogram = new Histogram({
    name: options.name,
    help: options.help,
    buckets: [...options.buckets_seconds],
    labelNames: ['kind', 'code'],
    registers: [theirs],
  });
  for (const [kind, code, ms] of [
    ['a', 'OK', 10],
    ['a', 'OK', 10.5],
    ['b', 'a "quoted" one', 5000],
    ['a', 'OK', 0],
    ['b', 'OK', 100],
  ] as const) {
    observer({ kind, code })(ms);
    histogram.observe({ kind, code }, ms / 1000);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});

test('exists from the start if it has no labels', async () => {
  const registry = new Registry();
  durations(registry, { name: 'work_seconds', help: 'How long', labels: [] })({});
  expect(await registry.metrics()).toContain('work_seconds_count 0');
});
