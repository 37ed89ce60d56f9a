import { type Bucket, FailurePolicy, type ListBucketsResponse } from '@gatehouse/proto/ratelimit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RateLimitsClient } from '../src/rate-limits-client.ts';
import { failing, ScriptedTransport } from './scripted-transport.ts';

const bucket = (name: string): Bucket => ({
  name,
  limit: 2,
  window_seconds: 3600,
  key: ['account'],
  aliases: [],
  policy: FailurePolicy.FAILURE_POLICY_LOCAL,
});
const SERVED: ListBucketsResponse = { revision: 'a', buckets: [bucket('first'), bucket('second')] };
const DENIAL = { bucket: 'second', limit: 2, retry_after_us: 1_000_000_000, empty_after_us: 2_000_000_000 };
const denies = () => Promise.resolve({ denial: DENIAL, degraded: false });
const set = (...buckets: string[]) => ({
  charges: buckets.map((name) => ({ bucket: name, identities: ['account:1'] })),
});

let transport: ScriptedTransport;
let limits: RateLimitsClient<undefined>;
beforeEach(() => {
  transport = new ScriptedTransport();
  limits = new RateLimitsClient(transport, { served: SERVED });
});
afterEach(() => limits.close());

it('a dry run returns the longest wait of a set, and charges nothing', async () => {
  const state = { bucket: 'second', limit: 2, remaining: 0, retry_after_us: 7, empty_after_us: 9 };
  transport.script = { peek: () => Promise.resolve({ states: [{ ...state, retry_after_us: 0 }, state] }) };
  expect(await limits.dryRun(set('first', 'second'))).toMatchObject({ bucket: 'second', retry_after_us: 7 });
  expect(transport.calls).toEqual(['peek']);
  expect(limits.counts.denied.get('second'), 'it counts, since the caller denies by it').toBe(1);
});

it('a dry run admits if ratelimit does not answer; a peek throws', async () => {
  transport.script = { peek: () => failing('UNAVAILABLE') };
  expect(await limits.dryRun(set('first'))).toBeUndefined();
  await expect(limits.peek(set('first').charges)).rejects.toMatchObject({ status: 'UNAVAILABLE' });
});

it('counts checks, and where they were decided', async () => {
  transport.script = { check: denies };
  await limits.check([set('second')]);
  await limits.check([set('second')]);
  transport.script = { check: () => failing('UNAVAILABLE') };
  await limits.check([set('first')]);
  transport.script = { check: () => Promise.resolve({ denial: DENIAL, degraded: true }) };
  await limits.check([set('first')]);
  expect(limits.counts).toMatchObject({ checks: 4, remembered: 1, local: 1, degraded: 1 });
  expect(limits.counts.denied.get('second')).toBe(3);
});

it('reads the rules of ratelimit at its start, and remembers no denial of a bucket that it does not know', async () => {
  limits.close();
  let answer = (_: ListBucketsResponse): void => undefined;
  const listed = new Promise<ListBucketsResponse>((resolve) => {
    answer = resolve;
  });
  transport.script = { listBuckets: () => listed, check: denies };
  limits = new RateLimitsClient(transport);
  await limits.check([set('second')]);
  expect(limits.remembered()).toBe(0);
  answer(SERVED);
  await expect
    .poll(async () => {
      await limits.check([set('second')]);
      return limits.remembered();
    })
    .toBe(1);
});
