import { setTimeout as sleep } from 'node:timers/promises';
import { type SteppedClock, steppedClock } from '@gatehouse/dev-env/processes/stepped-clock';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Check, Decision } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';

const clock = steppedClock();
if (clock === undefined)
  process.stderr.write('SKIPPED: stepping Redis’s own clock needs a C compiler (cc) on PATH\n');

const HOUR_MS = 3_600_000;
const LIMIT = 20;
const WINDOW_S = 10;
/** The limit of channel:message:create. */
const rule: BucketRule = { name: 'stepped', index: 0, ...rate(LIMIT, WINDOW_S) };

describe.skipIf(clock === undefined || noRedisProgram())('a Redis whose own clock steps under load', () => {
  let stepped: SteppedClock;
  let server: RedisServer;
  let store: RedisStore;

  beforeAll(async () => {
    if (clock === undefined) throw new Error('these tests are skipped');
    stepped = clock;
    server = await redisServer({ env: stepped.env });
    store = await openRedisStore({ url: server.url, log: silentLogger, timeout_ms: 5_000 });
  });
  afterAll(async () => {
    store?.close();
    await server?.close();
    clock?.close();
  });

  const chargeOf = (key: string): Check => [[{ rule, key, cost: 1 }]];

  test('shows the stepped clock', async () => {
    const offset = async () => Number((await server.client.time())[0]) * 1000 - Date.now();
    await expect.poll(async () => Math.abs(await offset())).toBeLessThan(2_000);
    stepped.step(-HOUR_MS);
    await expect.poll(async () => Math.abs((await offset()) + HOUR_MS)).toBeLessThan(2_000);
    stepped.step(0);
  });

  // [steps of the clock, their length in ms, how many of them go forward]
  test.each([
    ['back by an hour', [-HOUR_MS], 0],
    ['back, again and again', [-1_000, -2_000, -60_000, -HOUR_MS], 0],
    ['forward by an hour', [HOUR_MS], 1],
    ['to and fro', [-HOUR_MS, 0, HOUR_MS, 0], 2],
  ])(
    '%s: admits no more than the limit, and no wait is longer than the window',
    async (name, steps, forward) => {
      stepped.step(0);
      const key = `account:${name}`;
      const startedAt = performance.now();
      let admitted = 0;
      let longest_wait_us = 0;
      let longest_ms = 0;
      let done = false;
      let answers = 0;
      /** Under load: this many more checks have been decided. */
      const answered = async (more: number) => {
        for (const until = answers + more; answers < until; ) await sleep(1);
      };

      const load = Array.from({ length: 8 }, async () => {
        while (!done) {
          const took_ms = processStopwatch();
          const [denial] = await store.decide([chargeOf(key)]);
          longest_ms = Math.max(longest_ms, took_ms());
          answers++;
          if (denial === undefined) admitted++;
          else longest_wait_us = Math.max(longest_wait_us, denial.retry_after_us);
        }
      });
      for (const step of steps) {
        await answered(200);
        stepped.step(step);
      }
      await answered(400);
      done = true;
      await Promise.all(load);
      const drained = (((performance.now() - startedAt) / 1000) * LIMIT) / WINDOW_S;

      // A step forward counts as time that has passed: the bucket is empty after it.
      expect(admitted).toBeGreaterThanOrEqual(LIMIT * (1 + Math.min(forward, 1)));
      expect(admitted).toBeLessThanOrEqual(Math.ceil(LIMIT * (1 + forward) + drained));
      // One token drains in half a second.
      expect(longest_wait_us).toBeLessThanOrEqual((WINDOW_S * 1e6) / LIMIT);
      expect(longest_ms).toBeLessThan(1_000);
    },
  );

  test('back by an hour, for an unused bucket: its wait stays the same', async () => {
    stepped.step(0);
    for (let count = 0; count < LIMIT; count++)
      expect(await store.decide([chargeOf('account:quiet')])).toEqual([undefined]);
    stepped.step(-HOUR_MS);
    let denial: Decision;
    do [denial] = await store.decide([chargeOf('account:quiet')]);
    while (denial === undefined); // a token may have drained meanwhile
    expect(denial.retry_after_us).toBeLessThanOrEqual((WINDOW_S * 1e6) / LIMIT);
    await sleep(denial.retry_after_us / 1000 + 2);
    expect(await store.decide([chargeOf('account:quiet')])).toEqual([undefined]);
  });
});
