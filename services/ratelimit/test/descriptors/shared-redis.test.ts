import { testRedisCluster } from '@gatehouse/dev-env/redis/redis-cluster';
import { noRedisProgram } from '@gatehouse/dev-env/redis/redis-server';
import { redisIsMissing, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { until } from '@gatehouse/dev-env/until';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import type { Answer } from '../envoy/envoy-client.ts';
import { redisProxy } from '../redis-proxy.ts';
import { KEY_SECRET } from '../support.ts';
import {
  codesOf,
  type DescriptorService,
  descriptorWith,
  limit,
  remainingOf,
  serveDescriptors,
} from './domain.ts';

/** Limits whose tokens take hours, so that a test's own time does not matter. */
const LIMITS = `
  - {key: user, ${limit(5, 'week')}}
  - {key: path, ${limit(1_000, 'week')}}
  - {key: window, ${limit(7, 'year', ', algorithm: fixed_window')}}
  - {key: watched, shadow_mode: true, ${limit(3, 'week')}}
  - {key: open, ${limit(1, 'week', ', failure_policy: open')}}
  - {key: closed, ${limit(1_000, 'week', ', failure_policy: closed')}}
  - {key: banned, ${limit(0, 'week', ', failure_policy: open')}}
`;

/** A replica that has reached Redis. */
async function serve(config: Partial<Config>): Promise<DescriptorService> {
  const d = await serveDescriptors(LIMITS, { key_secret: KEY_SECRET, redis_timeout_ms: 10_000, ...config });
  await until('the replica has reached Redis', 30_000, async () =>
    (await d.ask(['path=start'])).dynamic_metadata === null ? true : undefined,
  );
  return d;
}

const admitted = (answers: readonly Answer[]) =>
  answers.filter(({ overall_code }) => overall_code === 'OK').length;

/** 32 requests at once to each replica. */
function askAtOnce(
  replicas: readonly DescriptorService[],
  descriptors: readonly string[],
): Promise<Answer[]> {
  return Promise.all(
    replicas.flatMap((replica) => Array.from({ length: 32 }, () => replica.ask(descriptors))),
  );
}

describe.skipIf(redisIsMissing)('on one Redis', () => {
  let url: string;

  beforeAll(async () => {
    const redis = await testRedis();
    url = redis.url;
    return () => redis.close();
  });

  test.each([
    ['user', 5],
    ['window', 7],
  ])(
    'two replicas admit exactly the limit of %s, and charge other limits only for admitted requests',
    async (key, most) => {
      const replicas = [await serve({ redis_url: url }), await serve({ redis_url: url })];
      const one = `${key}=${process.pid}`;
      const other = `path=/${key}/${process.pid}`;
      const answers = await askAtOnce(replicas, [one, other]);
      expect(admitted(answers)).toBe(most);
      const peek = descriptorWith(other, { hits_addend: { value: 0 } });
      expect(remainingOf(await (replicas[0] as DescriptorService).ask([peek]))).toEqual([1_000 - most]);
    },
  );

  test('limits in shadow mode are exact too', async () => {
    const replicas = [await serve({ redis_url: url }), await serve({ redis_url: url })];
    const asked = Array.from({ length: 20 }, (_, i) => replicas[i % 2]?.ask([`watched=${process.pid}`]));
    expect(admitted((await Promise.all(asked)).filter((answer) => answer !== undefined))).toBe(20);
    const counts = await Promise.all(
      replicas.map(async ({ peer }) => (await peer.client.getStatistics({}, { timeoutMs: 10_000 })).buckets),
    );
    const watched = counts.flat().filter(({ bucket }) => bucket === 'd.watched');
    expect(watched.reduce((sum, { admitted: number }) => sum + number, 0)).toBe(3);
    expect(watched.reduce((sum, { shadowed }) => sum + shadowed, 0)).toBe(17);
  });

  test('while Redis is away, each limit decides by its failure policy', async () => {
    const proxy = await redisProxy(url);
    onTestFinished(() => proxy.close());
    const d = await serve({ redis_url: proxy.url, replicas: 2 });
    await proxy.close();
    await until('failure policies decide', 30_000, async () =>
      (await d.ask(['path=away'])).dynamic_metadata === null ? undefined : true,
    );
    const answers: Answer[] = [];
    for (let i = 0; i < 3; i++) answers.push(await d.ask([`user=away:${process.pid}`]));
    expect(answers.map(({ overall_code }) => overall_code)).toEqual(['OK', 'OK', 'OVER_LIMIT']); // half of 5
    for (let i = 0; i < 3; i++) expect(codesOf(await d.ask(['open=away']))).toEqual(['OK']);
    expect(codesOf(await d.ask(['closed=away']))).toEqual(['OVER_LIMIT']);
    expect(codesOf(await d.ask(['banned=away']))).toEqual(['OVER_LIMIT']);
  });
});

describe.skipIf(noRedisProgram())('on a cluster of three', () => {
  test('two replicas admit exactly the limit, and charge limits on other nodes only for admitted requests', async () => {
    const cluster = await testRedisCluster();
    onTestFinished(() => cluster.close());
    const replicas = [await serve({ redis_url: cluster.url }), await serve({ redis_url: cluster.url })];
    for (let user = 0; user < 4; user++) {
      expect(admitted(await askAtOnce(replicas, [`user=${user}`]))).toBe(5);
    }
    const both = admitted(await askAtOnce(replicas, ['user=both', 'path=/both']));
    expect(both).toBeLessThanOrEqual(5);
    const peek = descriptorWith('path=/both', { hits_addend: { value: 0 } });
    expect(remainingOf(await (replicas[0] as DescriptorService).ask([peek]))).toEqual([1_000 - both]);
  });
});
