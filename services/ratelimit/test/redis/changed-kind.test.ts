import { redisIsMissing, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { silentLogger } from '@gatehouse/kit/log';
import { LIMIT_KINDS, type LimitKind, rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { Charge } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';

/** Nothing drains, and no window or lease ends, during a test. */
const WINDOW_SECONDS = 90 * 86_400;
const LIMIT = 5;

describe.skipIf(redisIsMissing)('a limit whose kind only one of two replicas has read', () => {
  let server: Awaited<ReturnType<typeof testRedis>>;
  let replicas: RedisStore[];

  beforeAll(async () => {
    server = await testRedis();
    const options = { url: server.url, log: silentLogger, timeout_ms: 5000 };
    replicas = await Promise.all([openRedisStore(options), openRedisStore(options)]);
  });
  afterAll(async () => {
    for (const replica of replicas ?? []) replica.close();
    await server?.close();
  });

  function charge(kind: LimitKind, caller: number): Charge {
    const key = `account:kinds:${process.pid}`;
    const rule = { name: 'changing', index: 0, ...rate(LIMIT, WINDOW_SECONDS, kind) };
    return { rule, key, cost: 1, ...(kind === 'concurrency' && { lease_id: `${caller}` }) };
  }

  test('admits its limit under each kind, and no more, however the replicas take turns', async () => {
    const admitted: Record<LimitKind, number> = { leaky_bucket: 0, fixed_window: 0, concurrency: 0 };
    await Promise.all(
      Array.from({ length: 64 }, async (_, caller) => {
        for (const kind of [...LIMIT_KINDS, ...LIMIT_KINDS]) {
          const decided = await replicas[caller % 2]?.decide([[[charge(kind, caller)]]]);
          // A caller that holds a lease renews it.
          if (decided?.[0] === undefined) admitted[kind]++;
        }
      }),
    );
    expect(admitted.leaky_bucket).toBe(LIMIT);
    expect(admitted.fixed_window).toBe(LIMIT);
    const states = await replicas[0]?.read(LIMIT_KINDS.map((kind) => charge(kind, -1)));
    expect(states?.map(({ retry_after_us }) => retry_after_us > 0)).toEqual([true, true, true]);
    expect(states?.[2]?.level).toBe(LIMIT);
    // Nor does a release find another kind's value.
    for (let caller = 0; caller < 64; caller++) {
      await replicas[1]?.decide([[[{ ...charge('concurrency', caller), cost: -1 }]]]);
    }
    expect((await replicas[0]?.read([charge('concurrency', -1)]))?.[0]?.level).toBe(0);
    expect(await replicas[0]?.decide([[[charge('leaky_bucket', 0)]]])).not.toEqual([undefined]);
    expect(await replicas[1]?.decide([[[charge('fixed_window', 0)]]])).not.toEqual([undefined]);
  });
});
