import { expect, it } from 'vitest';
import { appendStep } from '../../web/overview/append-step.ts';
import type { Overview } from '../../web/overview/snapshot.ts';

const base: Overview = {
  at_ms: 30,
  prometheus: true,
  step_ms: 10,
  times: [10, 20, 30],
  requests: [1, 2, 3],
  errors: [0, 0, null],
  denied: { global: [5, 6, 7] },
  latency: { 'GET /a': { p50_ms: [1, 1, 1], p99_ms: [2, 2, 2] } },
  pools: [],
  sessions: 1,
  event_delay_ms: 1,
  webhook_posts: 1,
  mail_queue: 1,
  replicas: [],
  noisy: { webhooks: [], denied: [], applications: [] },
};

const step: Overview = {
  ...base,
  at_ms: 40,
  prometheus: false,
  times: [40],
  requests: [4],
  errors: [1],
  denied: { login: [9] },
  latency: {},
  sessions: 2,
};

it('puts a step at the end of every series, and takes the numbers of now from it', () => {
  const joined = appendStep(base, step, 1_000);
  expect(joined).toMatchObject({
    times: [10, 20, 30, 40],
    requests: [1, 2, 3, 4],
    errors: [0, 0, null, 1],
    sessions: 2,
    at_ms: 40,
  });
});

it('fills latencies that one side lacks with null, and denials with 0: nobody was denied', () => {
  const { denied, latency } = appendStep(base, step, 1_000);
  expect(denied).toEqual({ global: [5, 6, 7, 0], login: [0, 0, 0, 9] });
  expect(latency).toEqual({ 'GET /a': { p50_ms: [1, 1, 1, null], p99_ms: [2, 2, 2, null] } });
});

it('drops what is older than the window', () => {
  const joined = appendStep(base, step, 20);
  expect(joined.times).toEqual([30, 40]);
  expect(joined.requests).toEqual([3, 4]);
});

it('replaces a step that is there already', () => {
  const joined = appendStep(base, { ...step, times: [30], requests: [8] }, 1_000);
  expect(joined.times).toEqual([10, 20, 30]);
  expect(joined.requests).toEqual([1, 2, 8]);
});

it('keeps the series and the windows when a step has no time', () => {
  const joined = appendStep(base, { ...step, times: [], requests: [] }, 1_000);
  expect(joined).toMatchObject({ times: base.times, requests: base.requests, sessions: 2, prometheus: true });
});
