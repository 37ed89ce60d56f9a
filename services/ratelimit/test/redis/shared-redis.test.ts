import { setTimeout as sleep } from 'node:timers/promises';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';
import { commandCalls } from './command-calls.ts';

const CLIENTS = 8;

describe.skipIf(noRedisProgram())('two replicas on one Redis', () => {
  let server: RedisServer;
  let replicas: RedisStore[];
  let now_us: number | undefined;

  beforeAll(async () => {
    server = await redisServer();
    const options = { url: server.url, log: silentLogger, timeout_ms: 5000, now_us: () => now_us ?? -1 };
    replicas = await Promise.all([openRedisStore(options), openRedisStore(options)]);
  });
  afterAll(async () => {
    for (const replica of replicas ?? []) replica.close();
    await server?.close();
  });
  beforeEach(async () => {
    now_us = undefined;
    await server.client.flushall();
  });

  /**
   * Every client sends `times` checks in a row, all clients at once, to both replicas in turn. Returns the number of
   * admitted ones.
   */
  async function flood(check: Check, times: number): Promise<number> {
    const admitted = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        let count = 0;
        for (let i = 0; i < times; i++) {
          const [denial] = (await replicas[(client + i) % 2]?.decide([check])) ?? [];
          if (denial === undefined) count++;
        }
        return count;
      }),
    );
    return admitted.reduce((sum, count) => sum + count, 0);
  }

  test.each([
    [50, 1],
    [15, 10],
    [60, 60],
    [3, 3600],
  ])(
    'admit exactly the burst, and then exactly what has drained: %d per %d s',
    async (limit, window_seconds) => {
      const rule = ruleOf('one', limit, window_seconds);
      const check: Check = [[{ rule, key: `account:${limit}/${window_seconds}`, cost: 1 }]];
      now_us = 1_700_000_000_000_000;
      expect(await flood(check, 20)).toBe(limit);
      const token_us = Math.ceil(rule.window_us / limit);
      for (const tokens of [1, 2, 7]) {
        now_us += Math.min(rule.window_us, tokens * token_us);
        expect(await flood(check, 20)).toBe(Math.min(limit, tokens));
      }
      now_us += rule.window_us;
      expect(await flood(check, 20)).toBe(limit);
    },
  );

  test("admit, by the server's own clock, no more than burst and drain, and no fewer", async () => {
    // So slow that it is not empty after a flood, however late the next one begins: an empty bucket drains no further.
    const rule = ruleOf('clock', 200, 10);
    const check: Check = [[{ rule, key: 'account:clock', cost: 1 }]];
    const before_ms = Date.now();
    let admitted = await flood(check, 25);
    const first_ms = Date.now();
    let last_ms = first_ms;
    while (last_ms - first_ms < 1500) {
      last_ms = Date.now();
      admitted += await flood(check, 25);
    }
    expect(admitted).toBeLessThanOrEqual(200 + Math.floor(((Date.now() - before_ms) * 20) / 1000));
    expect(admitted).toBeGreaterThanOrEqual(200 + Math.floor(((last_ms - first_ms) * 20) / 1000) - 1);
  });

  test.each(['leaky_bucket', 'fixed_window'] as const)(
    'admit exactly the limit of a %s though their own clocks are years apart',
    async (kind) => {
      const year: BucketRule = { name: kind, index: 0, ...rate(40, 31_536_000, kind) };
      const check: Check = [[{ rule: year, key: 'account:apart', cost: 1 }]];
      const own_ms = Date.now();
      const admitted: number[] = [];
      try {
        for (const hours of [0, -2, 30_000, -30_000]) {
          vi.useFakeTimers({ toFake: ['Date'], now: own_ms + hours * 3_600_000 });
          admitted.push(await flood(check, 3));
        }
      } finally {
        vi.useRealTimers();
      }
      expect(admitted).toEqual([24, 16, 0, 0]);
    },
  );

  test('charge overlapping sets all or none: the buckets hold exactly the admitted charges', async () => {
    const rule = ruleOf('pair', 30, 3600);
    const chargeOf = (who: number) => ({ rule, key: `account:pair|channel:${who}`, cost: 1 });
    now_us = 1_700_000_000_000_000;
    const admitted = new Map<number, number>();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let i = 0; i < 20; i++) {
          const pair = [(client + i) % 3, (client + i + 1) % 3];
          const [denial] = (await replicas[i % 2]?.decide([[pair.map(chargeOf)]])) ?? [];
          if (denial === undefined) for (const who of pair) admitted.set(who, (admitted.get(who) ?? 0) + 1);
        }
      }),
    );
    const states = (await replicas[0]?.read([0, 1, 2].map(chargeOf))) ?? [];
    expect(states.map(({ level }) => level / rule.window_us)).toEqual(
      [0, 1, 2].map((who) => admitted.get(who)),
    );
    expect(Math.max(...admitted.values())).toBe(30);
  });

  test('admit exactly the limit while scripts are flushed under them', async () => {
    const rule = ruleOf('flushed', 500, 3600);
    const check: Check = [[{ rule, key: 'account:flushed', cost: 1 }]];
    now_us = 1_700_000_000_000_000;
    let flushes = 0;
    let done = false;
    const flushing = (async () => {
      for (; !done; flushes++) {
        await server.client.script('FLUSH');
        await sleep(1);
      }
    })();
    const whole = await commandCalls(server.client, 'eval');
    expect(await flood(check, 100)).toBe(500);
    done = true;
    await flushing;
    expect(flushes).toBeGreaterThan(3);
    expect(await commandCalls(server.client, 'eval')).toBeGreaterThan(whole);
  });

  test('share a round trip: many checks of one turn are one command, a bucket of all of them one write', async () => {
    const rule = ruleOf('shared', 1000, 3600);
    const calls = await commandCalls(server.client, 'evalsha');
    const sets = await commandCalls(server.client, 'set');
    await Promise.all(
      Array.from({ length: 64 }, () => replicas[0]?.decide([[[{ rule, key: 'account:shared', cost: 1 }]]])),
    );
    expect((await commandCalls(server.client, 'evalsha')) - calls).toBe(1);
    expect((await commandCalls(server.client, 'set')) - sets).toBe(1);
  });

  test('write nothing for a denial', async () => {
    const rule = ruleOf('denied', 1, 3600);
    const check: Check = [[{ rule, key: 'account:denied', cost: 1 }]];
    await replicas[0]?.decide([check]);
    const sets = await commandCalls(server.client, 'set');
    expect(await flood(check, 5)).toBe(0);
    expect(await commandCalls(server.client, 'set')).toBe(sets);
  });

  test('keep a bucket until it is empty and no longer', async () => {
    const rule = ruleOf('expiring', 10, 100);
    const charge = { rule, key: 'account:expiring', cost: 3 };
    await replicas[0]?.decide([[[charge]]]);
    const [key] = await server.client.keys('*');
    expect(key).toBe('rl:{account:expiring}:expiring');
    const ttl_ms = await server.client.pttl(key ?? '');
    const [state] = (await replicas[0]?.read([charge])) ?? [];
    expect(ttl_ms).toBeLessThanOrEqual(30_001);
    expect(ttl_ms * 1000).toBeGreaterThanOrEqual((state?.empty_after_us ?? Number.NaN) - 1000);
    await replicas[0]?.decide([[[{ ...charge, cost: -3 }]]]);
    expect(await server.client.keys('*')).toEqual([]);
  });

  test('treat another program’s value under their key as an empty bucket', async () => {
    const rule = ruleOf('foreign', 1, 100);
    await server.client.set('rl:{account:foreign}:foreign', 'something else');
    const check: Check = [[{ rule, key: 'account:foreign', cost: 1 }]];
    expect(await replicas[0]?.read([{ rule, key: 'account:foreign' }])).toMatchObject([{ level: 0 }]);
    expect(await flood(check, 2)).toBe(1);
  });
});

function ruleOf(name: string, limit: number, window_seconds: number): BucketRule {
  return { name, index: 0, ...rate(limit, window_seconds) };
}
