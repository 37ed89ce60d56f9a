import { setTimeout as sleep } from 'node:timers/promises';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { noRedisProgram, type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import { Fault } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { BucketRule, Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRedisStore, type RedisStore } from '../../src/redis/redis-store.ts';
import { lossyProxy } from './lossy-proxy.ts';

const TIMEOUT_MS = 250;
/** Twice the timeout (a wait to be sent, then the command), and the time of a hundred other checks. */
const IN_TIME_MS = 2 * TIMEOUT_MS + 50;
/** Slow enough that nothing drains during a test: its level counts charges. */
const rule: BucketRule = { name: 'lost', index: 0, ...rate(1000, 10_000) };
const CHARGE: Check = [[{ rule, key: 'account:lost', cost: 1 }]];

describe.skipIf(noRedisProgram())('a Redis that is lost', () => {
  let server: RedisServer;
  let store: RedisStore;

  beforeEach(async () => {
    server = await redisServer();
    store = await openRedisStore({ url: server.url, log: silentLogger, timeout_ms: TIMEOUT_MS });
    await untilAnswers(store);
  });
  afterEach(async () => {
    store?.close();
    await server?.close();
  });

  /** Sends simultaneous charges. Returns the admitted and failed ones, and the longest time. */
  async function charge(count: number): Promise<{ admitted: number; faults: Fault[]; longest_ms: number }> {
    let admitted = 0;
    let longest_ms = 0;
    const faults: Fault[] = [];
    await Promise.all(
      Array.from({ length: count }, async () => {
        const took_ms = processStopwatch();
        try {
          const [denial] = await store.decide([CHARGE]);
          if (denial === undefined) admitted++;
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          faults.push(error);
        }
        longest_ms = Math.max(longest_ms, took_ms());
      }),
    );
    return { admitted, faults, longest_ms };
  }

  /** Charges that the server has made. */
  async function charged(key = 'account:lost'): Promise<number> {
    const bytes = await server.client.getBuffer(`rl:{${key}}:lost`);
    return Math.ceil((bytes?.readDoubleLE(0) ?? 0) / rule.window_us);
  }

  test('by SIGKILL under load: every promise settles in time, and it is used again within a second', async () => {
    const loads: ReturnType<typeof charge>[] = [];
    for (let i = 0; i < 20; i++) {
      loads.push(charge(100));
      if (i === 10) await server.kill();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const results = await Promise.all(loads);
    expect(results.some(({ faults }) => faults.length > 0)).toBe(true);
    for (const { longest_ms } of results) expect(longest_ms).toBeLessThan(IN_TIME_MS);
    expect((await charge(10)).admitted).toBe(0);
    await server.start();
    expect(await untilAnswers(store)).toBeLessThan(1000);
    await expect.poll(async () => (await charge(10)).admitted).toBe(10);
  });

  test('by SIGSTOP: waiting checks fail in time, and no charge arrives twice after SIGCONT', async () => {
    expect((await charge(10)).admitted).toBe(10);
    server.signal('SIGSTOP');
    const { admitted, faults, longest_ms } = await charge(300);
    expect(admitted).toBe(0);
    expect(longest_ms).toBeLessThan(IN_TIME_MS);
    expect(new Set(faults.map(({ reason }) => reason))).toEqual(new Set(['GATEWAY_TIMEOUT']));
    const keys = Array.from({ length: 300 }, (_, index) => `account:stopped ${index}`);
    await Promise.allSettled(keys.map((key) => store.decide([[[{ rule, key, cost: 1 }]]])));
    server.signal('SIGCONT');
    expect(await untilAnswers(store)).toBeLessThan(1000);
    expect((await charge(1)).admitted).toBe(1);
    // Sent charges arrive now, each once; charges that waited for too long in this process are never sent.
    expect(await charged()).toBeLessThanOrEqual(11 + 300);
    expect(await charged()).toBeGreaterThanOrEqual(11);
    for (const key of keys) expect(await charged(key)).toBeLessThanOrEqual(1);
  });

  test('by a SIGSTOP that is shorter than a check may wait: the connection stays, and the check is decided', async () => {
    const patient = await openRedisStore({ url: server.url, log: silentLogger, timeout_ms: 10_000 });
    try {
      await untilAnswers(patient);
      server.signal('SIGSTOP');
      const decided = patient.decide([CHARGE]);
      await sleep(1_000); // longer than a connection may be silent by default
      server.signal('SIGCONT');
      expect(await decided).toEqual([undefined]);
      expect(await charged()).toBe(1);
    } finally {
      patient.close();
    }
  });

  test('by a longer SIGSTOP: the connection is closed, and a new one is used within a second', async () => {
    server.signal('SIGSTOP');
    expect((await charge(1)).admitted).toBe(0);
    // Until the silence is noticed, commands are late; then there is no connection to send them by.
    await expect
      .poll(async () => (await charge(1)).faults[0]?.reason, { interval: 20 })
      .toBe('SERVICE_UNAVAILABLE');
    server.signal('SIGCONT');
    expect(await untilAnswers(store)).toBeLessThan(1000);
    await expect.poll(async () => (await charge(10)).admitted).toBe(10);
  });

  test('with its answer on the way: a charge is not repeated', async () => {
    const proxy = await lossyProxy(server.port);
    const url = `redis://127.0.0.1:${proxy.port}`;
    const remote = await openRedisStore({ url, log: silentLogger, timeout_ms: 1000 });
    try {
      proxy.loseNextAnswer();
      await expect(remote.decide(Array(5).fill(CHARGE))).rejects.toMatchObject({
        reason: 'SERVICE_UNAVAILABLE',
      });
      expect(proxy.lost()).toBe(1);
      await untilAnswers(remote);
      expect(await charged()).toBe(5);
      expect(await remote.decide([CHARGE])).toEqual([undefined]);
      expect(await charged()).toBe(6);
    } finally {
      remote.close();
      await proxy.close();
    }
  });

  test('before the start: the store opens, fails at once, and serves when Redis answers', async () => {
    await server.kill();
    const early = await openRedisStore({ url: server.url, log: silentLogger, timeout_ms: TIMEOUT_MS });
    try {
      await expect(early.decide([CHARGE])).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
      await expect(early.ping()).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
      await server.start();
      await untilAnswers(early);
      expect(await early.decide([CHARGE])).toEqual([undefined]);
    } finally {
      early.close();
    }
  });
});

/** Waits until a probe succeeds, and returns the time. */
async function untilAnswers(store: RedisStore): Promise<number> {
  const took_ms = processStopwatch();
  const answers = () =>
    store.ping().then(
      () => true,
      () => false,
    );
  await expect.poll(answers, { interval: 10 }).toBe(true);
  return took_ms();
}
