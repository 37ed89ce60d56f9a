import { internal, unavailable } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { anonymous, type Call } from '@gatehouse/kit/rpc';
import { BUCKETS } from '@gatehouse/proto/buckets';
import { type Bucket, FailurePolicy, ProfileField } from '@gatehouse/proto/ratelimit';
import type { RateLimitsOptions } from '@gatehouse/ratelimit-client/rate-limits';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectRateLimits, type RateLimits } from '../src/client.ts';
import { type FakeRatelimit, fakeRatelimit, stuck } from './fake-ratelimit.ts';

/** The built-in reference, as ratelimit serves it. */
const buckets: Bucket[] = Object.entries(BUCKETS).map(([name, row]) => ({
  ...row,
  name,
  key: [...row.key],
  aliases: [],
  policy: FailurePolicy.FAILURE_POLICY_LOCAL,
}));
const SERVED = { buckets, revision: 'a' };

let ratelimit: FakeRatelimit;
let limits: RateLimits;
beforeAll(async () => {
  ratelimit = await fakeRatelimit();
});
beforeEach(async () => {
  await ratelimit.restart();
  ratelimit.reset();
});
afterEach(() => limits.close());
afterAll(() => ratelimit.stop());

/** Long enough for an answer on a busy machine. */
const LONG_TIMEOUT_MS = 10_000;

const open = (options: Omit<RateLimitsOptions, 'log'>, timeout_ms = LONG_TIMEOUT_MS) => {
  limits = connectRateLimits(ratelimit.address, { timeout_ms, ...options });
};

let people = 0;
const newPerson = (): string => `person${++people}`;

/**
 * The client's uses: by the edge, chat and auth, each with its own options. `ask` returns the wait; undefined: admitted.
 */
const USES = [
  {
    user: 'the edge',
    options: { served: SERVED },
    rpc: 'check',
    /** The bucket's limit, and the drain time of one token. */
    limit: 1,
    drain_us: 60_000_000,
    ask: async (of: string, origin?: Call) => {
      const charge = { bucket: 'auth:send-verification-email', identities: [of] };
      return (await limits.check([{ charges: [charge] }], origin))?.retry_after_us;
    },
    denied: {
      check: () => ({
        denial: { bucket: 'report', limit: 1, retry_after_us: 5, empty_after_us: 5 },
        degraded: true,
      }),
    },
  },
  {
    user: 'chat',
    options: { lists_buckets: false },
    rpc: 'takeSlowmode',
    limit: 1,
    drain_us: 60_000_000,
    ask: (of: string, origin?: Call) =>
      limits.takeSlowmode({ account_id: of, channel_id: '1', interval_seconds: 60 }, origin),
    denied: { takeSlowmode: () => ({ retry_after_us: 5, degraded: true }) },
  },
  {
    user: 'auth',
    options: { lists_buckets: false },
    rpc: 'takeProfileChanges',
    limit: 25,
    drain_us: 72_000_000,
    ask: async (of: string, origin?: Call) =>
      (
        await limits.takeProfileChanges(
          { account_id: of, fields: [ProfileField.PROFILE_FIELD_BIO, ProfileField.PROFILE_FIELD_AVATAR] },
          origin,
        )
      )?.retry_after_us,
    denied: {
      takeProfileChanges: () => ({
        denial: { field: ProfileField.PROFILE_FIELD_BIO, retry_after_us: 5 },
        degraded: true,
      }),
    },
  },
] as const;

describe.each(USES)('$user decides locally', ({ options, rpc, limit, drain_us, ask, denied }) => {
  const newcomer = newPerson;

  /** A whole bucket is admitted at once, and then no more. */
  async function expectCountedLocally(): Promise<void> {
    const account = newcomer();
    for (let n = 0; n < limit; n++) expect(await ask(account)).toBeUndefined();
    const wait = await ask(account);
    expect(wait).toBeGreaterThan(drain_us - 15_000_000);
    expect(wait).toBeLessThanOrEqual(drain_us);
    expect(await ask(newcomer()), 'another caller has its own bucket').toBeUndefined();
  }

  test('while ratelimit is down, and calls it again once it is back', async () => {
    open(options);
    await ratelimit.stop();
    await expectCountedLocally();
    await expect
      .poll(async () => (await ask(newcomer())) ?? limits.isBreakerOpen(), { interval: 10 })
      .toBe(true);
    ratelimit.answers = { listBuckets: () => SERVED };
    await ratelimit.restart();
    await expect.poll(() => limits.isBreakerOpen()).toBe(false);
    ratelimit.calls.length = 0;
    await ask(newcomer());
    expect(ratelimit.calls).toEqual([rpc]);
  });

  test('while ratelimit hangs: five checks wait for it, later ones do not', async () => {
    ratelimit.answers = { [rpc]: stuck, listBuckets: stuck };
    open(options, 100);
    for (let n = 0; n < 5; n++) {
      expect(limits.isBreakerOpen()).toBe(false);
      expect(await ask(newcomer())).toBeUndefined();
    }
    expect(limits.isBreakerOpen()).toBe(true);
    const calls = () => ratelimit.calls.filter((call) => call === rpc).length;
    const before = calls(); // on a busy machine a call may time out before it is sent
    await Promise.all([ask(newcomer()), ask(newcomer())]);
    expect(calls()).toBe(before);
  });

  test('not if ratelimit decided without its store: the answer holds, and is not remembered', async () => {
    ratelimit.answers = denied;
    open(options);
    const account = newcomer();
    expect(await ask(account)).toBe(5);
    ratelimit.answers = {};
    expect(await ask(account)).toBeUndefined();
    expect(limits.counts).toMatchObject({ degraded: 1, local: 0, remembered: 0 });
  });

  test('after one failed call, and still makes the next call', async () => {
    ratelimit.answers = { [rpc]: () => Promise.reject(unavailable()) };
    open(options);
    expect(await ask(newcomer())).toBeUndefined();
    ratelimit.reset();
    expect(await ask(newcomer())).toBeUndefined();
    expect(ratelimit.calls).toEqual([rpc]);
    expect(limits.counts).toMatchObject({ checks: 2, local: 1 });
  });

  test('not after an error from ratelimit, which is no outage', async () => {
    ratelimit.answers = { [rpc]: () => Promise.reject(internal(new Error('x'))) };
    open(options);
    for (let n = 0; n < 6; n++)
      await expect(ask(newcomer())).rejects.toMatchObject({ reason: internal().reason });
    expect(limits.isBreakerOpen()).toBe(false);
    expect(limits.counts.local).toBe(0);
  });

  test('after the caller’s deadline, which does not count as a failure of ratelimit', async () => {
    open(options);
    for (let n = 0; n < 6; n++) {
      const account = newcomer();
      expect(await ask(account, outOfTime())).toBeUndefined();
    }
    expect(limits.counts.local).toBe(6);
    expect(limits.isBreakerOpen()).toBe(false);
  });

  test('that checks pass if limits are switched off', async () => {
    open({ ...options, enforced: false });
    await ratelimit.stop();
    const account = newcomer();
    for (let n = 0; n < limit + 5; n++) expect(await ask(account)).toBeUndefined();
  });
});

test('while ratelimit is down, slowmode is read and counted locally', async () => {
  open({ lists_buckets: false });
  await ratelimit.stop();
  const message = { account_id: newPerson(), channel_id: '1', interval_seconds: 60 };
  for (let n = 0; n < 3; n++) expect(await limits.peekSlowmode(message)).toBeUndefined();
  expect(await limits.takeSlowmode(message)).toBeUndefined();
  for (let n = 0; n < 3; n++) expect(await limits.peekSlowmode(message)).toBeGreaterThan(45_000_000);
});

test('peekSlowmode returns ratelimit’s answer', async () => {
  ratelimit.answers = { peekSlowmode: () => ({ retry_after_us: 5, degraded: false }) };
  open({ lists_buckets: false });
  expect(await limits.peekSlowmode({ account_id: '1', channel_id: '1', interval_seconds: 60 })).toBe(5);
});

function outOfTime(): Call {
  const { signal } = new AbortController();
  const whenSent = () => undefined;
  return {
    caller: anonymous,
    requestId: '1',
    due_ms: performance.now() - 1,
    signal,
    log: silentLogger,
    whenSent,
  };
}
