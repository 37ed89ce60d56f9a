import { redisIsMissing, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';

const LIMIT = 5;
const rule: BucketRule = { name: 'exports', index: 0, ...rate(LIMIT, 60, 'concurrency') };
const attempts: BucketRule = { name: 'attempts', index: 1, ...rate(1_000_000, 86_400, 'fixed_window') };
/** Nothing drains during a test. */
const tokens: BucketRule = { name: 'tokens', index: 3, ...rate(8, 86_400) };

describe.skipIf(redisIsMissing)('leases on two replicas', () => {
  let server: Awaited<ReturnType<typeof testRedis>>;
  let replicas: RedisStore[] = [];

  beforeAll(async () => {
    server = await testRedis();
    const options = { url: server.url, log: silentLogger, timeout_ms: 5000 };
    replicas = await Promise.all([openRedisStore(options), openRedisStore(options)]);
  });
  afterAll(async () => {
    for (const replica of replicas) replica.close();
    await server?.close();
  });

  async function isAdmitted(caller: number, ...set: Charge[]): Promise<boolean> {
    const decided = await replicas[caller % 2]?.decide([[set]]);
    return decided?.length === 1 && decided[0] === undefined;
  }
  function lease(key: string, lease_id: string, cost = 1): Charge {
    return { rule, key, cost, lease_id };
  }

  test('64 callers never hold more than the limit, renew and release, and leave nothing held', async () => {
    const key = 'account:races';
    let held = 0;
    let most = 0;
    let granted = 0;
    let checks = 0;
    await Promise.all(
      Array.from({ length: 64 }, async (_, caller) => {
        for (let i = 0; i < 20; i++) {
          const id = `${caller}.${i}`;
          const cost = 1 + (i % 2);
          checks++;
          const one = { rule: attempts, key, cost: 1 };
          if (!(await isAdmitted(caller, one, lease(key, id, cost)))) continue;
          granted++;
          held += cost;
          most = Math.max(most, held);
          // The other replica renews it.
          expect(await isAdmitted(caller + 1, lease(key, id, cost))).toBe(true);
          held -= cost;
          await isAdmitted(caller + (i % 2), lease(key, id, -1));
        }
      }),
    );
    expect(most).toBeLessThanOrEqual(LIMIT);
    expect(granted).toBeGreaterThan(0);
    expect(checks).toBeGreaterThan(granted);
    expect(await replicas[0]?.read([lease(key, ''), { rule: attempts, key }])).toMatchObject([
      { level: 0, retry_after_us: 0 },
      { level: granted },
    ]);
  });

  test('a set of a lease and a leaky bucket of which one denies takes neither, for 64 callers', async () => {
    const key = 'account:mixed';
    const token: Charge = { rule: tokens, key, cost: 1 };
    const left = async () => {
      const states = (await replicas[1]?.read([lease(key, ''), token])) ?? [];
      return states.map(({ rule: of, level }) => Math.ceil(level / of.token));
    };
    let used = 0;
    // The leases deny first, then the tokens: five, three, none.
    for (const expected of [LIMIT, tokens.limit - LIMIT, 0]) {
      const both = Array.from({ length: 64 }, (_, i) => {
        const set = [lease(key, `${i}`), token];
        return isAdmitted(i, ...(i % 3 === 0 ? set : set.toReversed()));
      });
      const admitted = (await Promise.all(both)).flatMap((is, caller) => (is ? [caller] : []));
      expect(admitted).toHaveLength(expected);
      used += expected;
      expect(await left()).toEqual([expected, used]);
      for (const caller of admitted) await isAdmitted(caller + 1, lease(key, `${caller}`, -1));
      expect(await left()).toEqual([0, used]);
    }
  });

  test('one lease that many callers acquire at a time is one lease', async () => {
    const key = 'account:same';
    const admitted = await Promise.all(
      Array.from({ length: 40 }, (_, i) => isAdmitted(i, lease(key, 'job', 3))),
    );
    expect(admitted).toEqual(Array(40).fill(true));
    expect(await replicas[1]?.read([lease(key, 'job')])).toMatchObject([{ level: 3 }]);
  });

  test('a renewal beside a release leaves the lease held or released, and never half', async () => {
    for (let i = 0; i < 20; i++) {
      const key = `account:renewal:${i}`;
      await isAdmitted(0, lease(key, 'old', LIMIT));
      const [renewed] = await Promise.all([
        isAdmitted(0, lease(key, 'old', LIMIT)),
        isAdmitted(1, lease(key, 'old', -1)),
        isAdmitted(1, lease(key, 'never granted', -1)),
      ]);
      expect(renewed).toBe(true);
      const [state] = (await replicas[0]?.read([lease(key, 'old')])) ?? [];
      expect([0, LIMIT]).toContain(state?.level);
      // The release of the earlier holder does not release the later one.
      await isAdmitted(0, lease(key, 'old', -1));
      expect(await isAdmitted(1, lease(key, 'new', LIMIT))).toBe(true);
      await isAdmitted(0, lease(key, 'old', -1));
      expect(await isAdmitted(0, lease(key, 'newest'))).toBe(false);
    }
  });

  test('the lease of a holder that died ends by itself, and Redis forgets its key', async () => {
    const short: BucketRule = { name: 'short', index: 2, ...rate(1, 3, 'concurrency') };
    const dead: Charge = { rule: short, key: 'account:dead', cost: 1, lease_id: 'dead' };
    expect(await isAdmitted(0, dead)).toBe(true);
    expect(await isAdmitted(1, { ...dead, lease_id: 'next' })).toBe(false);
    await expect
      .poll(() => isAdmitted(1, { ...dead, lease_id: 'next' }), { interval: 20, timeout: 10_000 })
      .toBe(true);
    const left = async () => (await replicas[0]?.read([dead]))?.[0]?.level;
    await expect.poll(left, { interval: 20, timeout: 10_000 }).toBe(0);
  });
});
