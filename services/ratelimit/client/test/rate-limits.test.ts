import { Status, unavailable } from '@gatehouse/kit/fault';
import { type Connection, connect } from '@gatehouse/kit/rpc';
import {
  type Bucket,
  type ChargeSet,
  type Denial,
  FailurePolicy,
  RatelimitServiceDefinition,
} from '@gatehouse/proto/ratelimit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tooManyRequests } from '../src/denials/too-many-requests.ts';
import type { RateLimits } from '../src/rate-limits.ts';
import { RateLimitsClient } from '../src/rate-limits-client.ts';
import { type FakeRatelimit, fakeRatelimit } from './fake-ratelimit.ts';

/** The limits differ, so that a denial's headers identify the bucket. */
const LIMIT = { short: 1, local: 2, open: 3, closed: 4 } as const;
const bucket = (name: keyof typeof LIMIT, policy: FailurePolicy, window_seconds: number): Bucket => ({
  name,
  limit: LIMIT[name],
  window_seconds,
  key: ['account'],
  aliases: [],
  policy,
});
/** Long enough for an answer on a busy machine. */
const LONG_TIMEOUT_MS = 10_000;
const SERVED = {
  revision: 'a',
  buckets: [
    bucket('short', FailurePolicy.FAILURE_POLICY_LOCAL, 1),
    bucket('local', FailurePolicy.FAILURE_POLICY_LOCAL, 3600),
    bucket('open', FailurePolicy.FAILURE_POLICY_OPEN, 3600),
    bucket('closed', FailurePolicy.FAILURE_POLICY_CLOSED, 3600),
  ],
};

const set = (...buckets: (keyof typeof LIMIT)[]): ChargeSet => ({
  charges: buckets.map((name) => ({ bucket: name, identities: ['account:1'] })),
});

describe('limits', () => {
  let ratelimit: FakeRatelimit;
  let connection: Connection<typeof RatelimitServiceDefinition>;
  let limits: RateLimits;
  let now_us = 0;
  beforeAll(async () => {
    ratelimit = await fakeRatelimit();
    connection = connect(RatelimitServiceDefinition, { address: ratelimit.address });
  });
  beforeEach(() => {
    ratelimit.reset();
    limits = new RateLimitsClient(connection, {
      served: SERVED,
      now_us: () => now_us,
      timeout_ms: LONG_TIMEOUT_MS,
    });
  });
  afterEach(() => limits.close());
  afterAll(async () => {
    connection.close();
    await ratelimit.stop();
  });

  const deny = (denial: Denial) => ({ check: () => ({ denial, degraded: false }) });

  /** The limit of the denying bucket and the wait in seconds; undefined: admitted. */
  async function charge(...sets: ChargeSet[]): Promise<{ limit: number; wait: number } | undefined> {
    const denial = await limits.check(sets, 'a-request');
    if (denial === undefined) return undefined;
    const { headers, members } = tooManyRequests(denial, 0);
    return { limit: Number(headers['x-ratelimit-limit']), wait: members.retry_after };
  }

  it('hold a denial as if its wait began with the call, and report it as if it began with the answer', async () => {
    const denial = { bucket: 'local', limit: 2, retry_after_us: 1_000_000, empty_after_us: 2_000_000 };
    ratelimit.answers = {
      check: () => {
        now_us += 300_000; // request and response together take this long
        return { denial, degraded: false };
      },
    };
    expect(await charge(set('local'))).toEqual({ limit: 2, wait: 1 });
    expect(await charge(set('local'))).toEqual({ limit: 2, wait: 1 });
    now_us += 699_999;
    expect(await charge(set('local'))).toEqual({ limit: 2, wait: 0.301 });
    expect(ratelimit.calls).toHaveLength(1);
    now_us += 1;
    await charge(set('local'));
    expect(ratelimit.calls).toHaveLength(2);
  });

  it('remember many denials at a time', async () => {
    const wait = { retry_after_us: 1_000_000_000, empty_after_us: 2_000_000_000 };
    ratelimit.answers = deny({ bucket: 'local', limit: 2, ...wait });
    const of = (n: number): ChargeSet => ({ charges: [{ bucket: 'local', identities: [`account:${n}`] }] });
    await Promise.all(Array.from({ length: 1000 }, (_, n) => charge(of(n))));
    expect(ratelimit.calls).toHaveLength(1000);
    expect(limits.remembered()).toBe(1000);
    for (let n = 0; n < 1000; n++) await charge(of(n));
    expect(ratelimit.calls).toHaveLength(1000);
    expect(limits.counts).toMatchObject({ checks: 2000, remembered: 1000, local: 0 });
    expect(limits.counts.denied.get('local')).toBe(2000);
  });

  it('count simultaneous failures, such as those of a lost connection, as one', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    ratelimit.answers = { check: () => gate.then(() => Promise.reject(unavailable())) };
    const charges = Array.from({ length: 50 }, () => charge(set('open')));
    await expect.poll(() => ratelimit.calls.length).toBe(50);
    release();
    expect(await Promise.all(charges)).toEqual(charges.map(() => undefined));
    expect(limits.counts.local).toBe(50);
    expect(limits.isBreakerOpen()).toBe(false);
  });

  it('call again for a set of several buckets: another may deny for longer by now', async () => {
    const wait = { retry_after_us: 1_000_000_000, empty_after_us: 2_000_000_000 };
    ratelimit.answers = deny({ bucket: 'local', limit: 2, ...wait });
    await charge(set('local', 'short'));
    await charge(set('local', 'short'));
    expect(ratelimit.calls).toHaveLength(2);
    await charge(set('local'));
    expect(ratelimit.calls, 'which is known').toHaveLength(2);
  });

  it('remember no denial of an ambiguous bucket', async () => {
    const wait = { retry_after_us: 1_000_000_000, empty_after_us: 2_000_000_000 };
    ratelimit.answers = deny({ bucket: 'local', limit: 2, ...wait });
    const other = { charges: [{ bucket: 'local', identities: ['account:2'] }] };
    await charge(set('local'), other);
    expect(limits.remembered()).toBe(0);
  });

  it('forget a refunded bucket', async () => {
    const wait = { retry_after_us: 1_000_000_000, empty_after_us: 2_000_000_000 };
    ratelimit.answers = deny({ bucket: 'local', limit: 2, ...wait });
    await charge(set('local'));
    ratelimit.reset();
    await limits.refund(set('local').charges);
    expect(await charge(set('local'))).toBeUndefined();
    expect(ratelimit.calls).toEqual(['refund', 'check']);
  });

  it('report the denial that a set would get, and charge nothing', async () => {
    const state = { bucket: 'local', limit: 2, remaining: 0, retry_after_us: 7, empty_after_us: 9 };
    ratelimit.answers = { peek: () => ({ states: [{ ...state, retry_after_us: 0 }, state] }) };
    const before = limits.counts.denied.get('local') ?? 0;
    expect(await limits.dryRun(set('short', 'local'))).toMatchObject({ bucket: 'local', retry_after_us: 7 });
    expect(ratelimit.calls).toEqual(['peek']);
    expect(limits.counts.denied.get('local'), 'it counts, since the caller denies by it').toBe(before + 1);
  });

  it('apply the rules that ratelimit serves, without any at the start', async () => {
    limits.close();
    const wait = { retry_after_us: 1_000_000_000, empty_after_us: 2_000_000_000 };
    ratelimit.answers = { listBuckets: () => SERVED, ...deny({ bucket: 'local', limit: 2, ...wait }) };
    limits = new RateLimitsClient(connection, { now_us: () => now_us });
    // Remembered only once the rule of this name is known.
    await expect.poll(async () => (await charge(set('local'))) && limits.remembered()).toBe(1);
  });

  describe('while ratelimit is down', () => {
    beforeAll(() => ratelimit.stop());
    afterAll(() => ratelimit.restart());

    it('admit by an open bucket, whatever its limit', async () => {
      for (let n = 0; n < 10; n++) expect(await charge(set('open'))).toBeUndefined();
      expect(limits.counts).toMatchObject({ checks: 10, local: 10 });
    });

    it('deny by a closed one for a second, and charge nothing of its set', async () => {
      for (let n = 0; n < 10; n++)
        expect(await charge(set('local', 'closed'))).toEqual({ limit: LIMIT.closed, wait: 1 });
      expect(await charge(set('local', 'open'))).toBeUndefined();
      expect(await charge(set('local'))).toBeUndefined();
      expect(await charge(set('local'))).toEqual({ limit: LIMIT.local, wait: 1800 });
    });

    it('can neither read nor refund buckets', async () => {
      const { charges } = set('local');
      await expect(limits.peek(charges)).rejects.toMatchObject({ status: Status.UNAVAILABLE });
      await expect(limits.refund(charges)).rejects.toMatchObject({ status: Status.UNAVAILABLE });
      expect(await limits.dryRun(set('local'))).toBeUndefined();
    });

    it('keep repeating ratelimit’s denials, and report them if theirs is the longest wait', async () => {
      await ratelimit.restart();
      await expect.poll(() => connection.healthy(100)).toBe(true);
      const wait = { retry_after_us: 9_000_000_000, empty_after_us: 9_000_000_000 };
      ratelimit.answers = deny({ bucket: 'local', limit: 2, ...wait });
      await charge(set('local'));
      await ratelimit.stop();
      expect(await charge(set('closed', 'local'))).toEqual({ limit: LIMIT.local, wait: 9000 });
      expect(await charge(set('short'), set('local'))).toEqual({ limit: LIMIT.local, wait: 9000 });
      expect(await charge(set('short')), 'charged by the set before').toMatchObject({ limit: LIMIT.short });
    });

    it('report the longest wait of a set', async () => {
      for (let n = 0; n < 2; n++) await charge(set('local'));
      expect(await charge(set('closed', 'local'))).toEqual({ limit: LIMIT.local, wait: 1800 });
    });

    it('charge sets in order up to the one that denies', async () => {
      expect(await charge(set('local'), set('closed'), set('short'))).toEqual({
        limit: LIMIT.closed,
        wait: 1,
      });
      expect(await charge(set('short'))).toBeUndefined();
      now_us += 400_000;
      expect(await charge(set('short'), set('closed'))).toEqual({ limit: LIMIT.short, wait: 0.6 });
      expect(await charge(set('local'))).toBeUndefined();
      expect(await charge(set('local')), 'charged by the first check and by the last').toMatchObject({
        limit: LIMIT.local,
      });
    });

    it('admit again after exactly the wait', async () => {
      expect(await charge(set('short'))).toBeUndefined();
      now_us += 999_999;
      expect(await charge(set('short'))).toEqual({ limit: LIMIT.short, wait: 0.001 });
      now_us += 1;
      expect(await charge(set('short'))).toBeUndefined();
    });
  });
});
