import { type Bucket, type CheckResponse, FailurePolicy, LimitKind } from '@gatehouse/proto/ratelimit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RateLimitsClient } from '../../src/rate-limits-client.ts';
import { failing, ScriptedTransport } from '../scripted-transport.ts';

const EXPORTS: Bucket = {
  name: 'exports',
  limit: 1,
  window_seconds: 30,
  key: ['account'],
  aliases: [],
  policy: FailurePolicy.FAILURE_POLICY_CLOSED,
  kind: LimitKind.LIMIT_KIND_CONCURRENCY,
};
const CHARGE = { bucket: 'exports', identities: ['account:1'] };
const DENIAL = { bucket: 'exports', limit: 1, retry_after_us: 5, empty_after_us: 5 };
const admits = () => Promise.resolve({ denial: null, degraded: false });
const refunds = () => Promise.resolve({});

let transport: ScriptedTransport;
let limits: RateLimitsClient<undefined>;
beforeEach(() => {
  vi.useFakeTimers();
  transport = new ScriptedTransport();
  limits = new RateLimitsClient(transport, { served: { revision: 'a', buckets: [EXPORTS] } });
});
afterEach(() => {
  limits.close();
  vi.useRealTimers();
});

it('is renewed in each third of its window until it is released, once', async () => {
  transport.script = { check: admits, refund: refunds };
  const { lease } = await limits.acquire(CHARGE);
  expect(transport.calls).toEqual(['check']);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(transport.calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(20_001);
  expect(transport.calls).toEqual(['check', 'check', 'check', 'check']);
  await lease?.release();
  await lease?.release();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(transport.calls).toEqual(['check', 'check', 'check', 'check', 'refund']);
  expect(lease?.signal.aborted).toBe(false);
});

it('is denied like a check', async () => {
  transport.script = { check: () => Promise.resolve({ denial: DENIAL, degraded: false }) };
  expect(await limits.acquire(CHARGE)).toEqual({ denial: DENIAL });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(transport.calls).toEqual(['check']);
});

it.each([
  ['denied', () => Promise.resolve({ denial: DENIAL, degraded: false })],
  ['an error', () => failing('INVALID_ARGUMENT')],
  ['decided by the policy closed', () => failing('UNAVAILABLE')],
])('aborts its signal if a renewal is %s, and is not released then', async (_, renewal) => {
  transport.script = { check: admits };
  const { lease } = await limits.acquire(CHARGE);
  transport.script = { check: renewal };
  await vi.advanceTimersByTimeAsync(10_000);
  expect(lease?.signal.aborted).toBe(true);
  await lease?.release();
  expect(transport.calls).toEqual(['check', 'check']);
});

it('is released after the renewal that is on its way', async () => {
  transport.script = { check: admits };
  const { lease } = await limits.acquire(CHARGE);
  const renewal = Promise.withResolvers<CheckResponse>();
  transport.script = { check: () => renewal.promise, refund: refunds };
  await vi.advanceTimersByTimeAsync(10_000);
  const released = lease?.release();
  await vi.advanceTimersByTimeAsync(1);
  expect(transport.calls).toEqual(['check', 'check']);
  renewal.resolve({ denial: null, degraded: false });
  await released;
  expect(transport.calls).toEqual(['check', 'check', 'refund']);
});

it('is released if its acquisition fails: it may have been granted', async () => {
  transport.script = { check: () => Promise.reject(new Error('the caller has left')), refund: refunds };
  await expect(limits.acquire(CHARGE)).rejects.toThrow('the caller has left');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(transport.calls).toEqual(['check', 'refund']);
});

it('is released without an error while ratelimit does not answer', async () => {
  transport.script = { check: admits, refund: () => failing('UNAVAILABLE') };
  const { lease } = await limits.acquire(CHARGE);
  await lease?.[Symbol.asyncDispose]();
  expect(transport.calls).toEqual(['check', 'refund']);
});

it('is not renewed after the client is closed', async () => {
  transport.script = { check: admits };
  await limits.acquire(CHARGE);
  limits.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(transport.calls).toEqual(['check']);
});
