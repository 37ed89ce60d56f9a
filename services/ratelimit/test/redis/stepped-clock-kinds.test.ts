import { setTimeout as sleep } from 'node:timers/promises';
import { type SteppedClock, steppedClock } from '@gatehouse/dev-env/processes/stepped-clock';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Charge, Decision } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';

const clock = steppedClock();
if (clock === undefined)
  process.stderr.write('SKIPPED: stepping Redis’s own clock needs a C compiler (cc) on PATH\n');

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LIMIT = 5;
const leases: BucketRule = { name: 'leases', index: 0, ...rate(LIMIT, 60, 'concurrency') };
/** A day, so that a test hardly ever crosses the end of a window by itself. */
const windows: BucketRule = { name: 'windows', index: 1, ...rate(LIMIT, DAY_MS / 1000, 'fixed_window') };

describe.skipIf(clock === undefined || noRedisProgram())(
  'leases and fixed windows while Redis’s clock steps',
  () => {
    let stepped: SteppedClock;
    let server: RedisServer;
    let replicas: RedisStore[];
    let names = 0;

    beforeAll(async () => {
      if (clock === undefined) throw new Error('these tests are skipped');
      stepped = clock;
      server = await redisServer({ env: stepped.env });
      const options = { url: server.url, log: silentLogger, timeout_ms: 5_000 };
      replicas = await Promise.all([openRedisStore(options), openRedisStore(options)]);
    });
    beforeEach(() => step(0));
    afterAll(async () => {
      for (const replica of replicas ?? []) replica.close();
      await server?.close();
      clock?.close();
    });

    /** Steps the clock, and waits until the server shows it: it reads its clock once in a turn of its event loop. */
    const step = async (offset_ms: number) => {
      stepped.step(offset_ms);
      const shown_ms = async () => Number((await server.client.time())[0]) * 1000 - Date.now();
      await expect
        .poll(async () => Math.abs((await shown_ms()) - offset_ms), { interval: 1 })
        .toBeLessThan(2000);
    };
    const decide = async (caller: number, ...set: Charge[]): Promise<Decision> =>
      (await replicas[caller % 2]?.decide([[set]]))?.[0];
    const lease = (key: string, lease_id: string, cost = 1): Charge => ({
      rule: leases,
      key,
      cost,
      lease_id,
    });
    const somebody = () => `account:${++names}`;

    test('back by an hour: no permit too many, and a lease ends within its window of the new time', async () => {
      const key = somebody();
      for (let i = 0; i < LIMIT; i++) expect(await decide(i, lease(key, `${i}`))).toBeUndefined();
      await step(-HOUR_MS);
      const denial = await decide(0, lease(key, 'more'));
      expect(denial?.retry_after_us).toBeGreaterThan(0);
      expect(denial?.retry_after_us).toBeLessThanOrEqual(60e6);
      expect(await decide(1, lease(key, '0'))).toBeUndefined(); // a renewal
      await step(-HOUR_MS + 65_000);
      for (let i = 0; i < LIMIT; i++) expect(await decide(i, lease(key, `next ${i}`))).toBeUndefined();
      expect(await decide(0, lease(key, 'one more'))).toBeDefined();
    });

    test('forward by an hour: all leases have ended, and exactly the limit is granted', async () => {
      const key = somebody();
      expect(await decide(0, lease(key, 'all', LIMIT))).toBeUndefined();
      await step(HOUR_MS);
      const decided = await Promise.all(Array.from({ length: 64 }, (_, i) => decide(i, lease(key, `${i}`))));
      expect(decided.filter((denial) => denial === undefined)).toHaveLength(LIMIT);
    });

    test('back, again and again, under 64 callers: never more than the limit is held', async () => {
      const key = somebody();
      let held = 0;
      let most = 0;
      let answers = 0;
      let done = false;
      const load = Array.from({ length: 64 }, async (_, caller) => {
        while (!done) {
          const denial = await decide(caller, lease(key, `${caller}`));
          answers++;
          if (denial !== undefined) continue;
          most = Math.max(most, ++held);
          expect(await decide(caller + 1, lease(key, `${caller}`))).toBeUndefined(); // a renewal
          held--; // the release frees it before its answer is here
          await decide(caller, lease(key, `${caller}`, -1));
        }
      });
      for (const offset_ms of [-1_000, -HOUR_MS, -2 * HOUR_MS, -DAY_MS]) {
        for (const until = answers + 300; answers < until; ) await sleep(1);
        await step(offset_ms);
      }
      for (const until = answers + 300; answers < until; ) await sleep(1);
      done = true;
      await Promise.all(load);
      expect(most).toBeGreaterThan(1);
      expect(most).toBeLessThanOrEqual(LIMIT);
      expect((await replicas[0]?.read([lease(key, '')]))?.[0]).toMatchObject({ level: 0 });
    });

    test('back into an earlier window: no second allowance; forward into the next: exactly one', async () => {
      const key = somebody();
      const charge: Charge = { rule: windows, key, cost: 1 };
      const admitted = async () => {
        const decided = await Promise.all(Array.from({ length: 64 }, (_, i) => decide(i, charge)));
        return decided.filter((denial) => denial === undefined).length;
      };
      expect(await admitted()).toBe(LIMIT);
      for (const offset_ms of [-DAY_MS, 0, -3 * DAY_MS, -HOUR_MS, 0]) {
        await step(offset_ms);
        expect(await admitted()).toBe(0);
      }
      await step(DAY_MS);
      expect(await admitted()).toBe(LIMIT);
      await step(0);
      expect(await admitted()).toBe(0);
    });

    test('a set of a lease and tokens of which one denies takes neither, for 64 callers', async () => {
      const key = somebody();
      const tokens: Charge = { rule: windows, key, cost: 1 };
      const both = Array.from({ length: 64 }, (_, i) => decide(i, lease(key, `${i}`), tokens));
      expect((await Promise.all(both)).filter((denial) => denial === undefined)).toHaveLength(LIMIT);
      const state = await replicas[1]?.read([lease(key, ''), tokens]);
      expect(state).toMatchObject([{ level: LIMIT }, {}]);
      // The tokens are used up: no lease is granted, although all are released.
      for (let i = 0; i < 64; i++) await decide(i, lease(key, `${i}`, -1));
      const again = Array.from({ length: 64 }, (_, i) => decide(i, lease(key, `${i}`), tokens));
      expect((await Promise.all(again)).filter((denial) => denial === undefined)).toEqual([]);
      expect((await replicas[0]?.read([lease(key, '')]))?.[0]).toMatchObject({ level: 0 });
    });
  },
);
