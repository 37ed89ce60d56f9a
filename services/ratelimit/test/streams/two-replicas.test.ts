import { redisIsMissing, type TestRedis, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChargeTuple,
  charges,
  KEY_SECRET,
  LONG_TIMEOUT,
  type Served,
  startRatelimit,
} from '../support.ts';
import { CheckStream } from './check-stream.ts';

const run = `${process.pid}.${Date.now()}`;
let identities = 0;
const somebody = (): string => `account:${run}:${++identities}`;

describe.skipIf(redisIsMissing)('streams of checks to two replicas on one Redis', () => {
  let redis: TestRedis;
  let replicas: Served[];

  beforeAll(async () => {
    redis = await testRedis();
  });

  afterAll(() => redis.close());

  beforeEach(async () => {
    const shared = { redis_url: redis.url, key_secret: KEY_SECRET, replicas: 2, redis_timeout_ms: 5_000 };
    replicas = await Promise.all([startRatelimit(shared), startRatelimit(shared)]);
  });

  afterEach(async () => {
    await Promise.all(replicas.map((served) => served.close()));
  });

  const open = (index: number): CheckStream =>
    new CheckStream(replicas[index % replicas.length]?.service.address ?? '');

  test('eight streams are admitted exactly the limits, beside unary checks', async () => {
    const buckets: ChargeTuple[] = Array.from({ length: 5 }, () => ['premium:portal', [somebody()]]); // 20 per hour
    const streams = Array.from({ length: 8 }, (_, index) => open(index));
    for (let tag = 0; tag < 500; tag++) {
      for (const stream of streams) stream.check(tag, [buckets[tag % 5] as ChargeTuple]);
    }
    const unary = await Promise.all(
      replicas.flatMap(({ peer }) =>
        buckets.map((bucket) => peer.client.check({ sets: [{ charges: charges([bucket]) }] }, LONG_TIMEOUT)),
      ),
    );
    const responses = (await Promise.all(streams.map((stream) => stream.received(500)))).flat();
    const admitted = [...unary, ...responses].filter(({ denial }) => denial === null);
    expect(responses.filter(({ degraded, error }) => degraded || error !== null)).toEqual([]);
    expect(admitted).toHaveLength(5 * 20);
    await Promise.all(streams.map((stream) => stream.cut()));
  });

  test('streams that are cut at any time have charged each check as a whole, and no answered one twice', async () => {
    let answered = 0;
    for (let round = 0; round < 24; round++) {
      const account = somebody();
      const pair: ChargeTuple[] = [
        ['premium:portal', [account]],
        ['business:portal', [account]],
      ];
      const stream = open(round);
      const sent = 1 + (round % 7);
      for (let tag = 0; tag < sent; tag++) stream.check(tag, pair);
      if (round % 3 > 0) await stream.received(1);
      await stream.cut();
      const [first = 0, second] = await tokens(pair);
      expect(second).toBe(first);
      expect(first).toBeGreaterThanOrEqual(stream.responses.length);
      expect(first).toBeLessThanOrEqual(sent);
      answered += stream.responses.length;
    }
    expect(answered).toBeGreaterThanOrEqual(16);
  });

  /** The tokens that buckets hold. */
  async function tokens(buckets: readonly ChargeTuple[]): Promise<number[]> {
    const answer = await replicas[0]?.peer.client.peek({ charges: charges(buckets) }, LONG_TIMEOUT);
    return (answer?.states ?? []).map(({ limit, remaining }) => limit - remaining);
  }
});
