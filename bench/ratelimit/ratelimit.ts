import { testRedis } from '@gatehouse/dev-env/redis/test-redis';
import type { BenchOptions } from '../bench.ts';
import { withFixture } from '../parts/fixture.ts';
import { recordTables } from '../report/record-tables.ts';
import { checkCases } from './check-cases.ts';
import { drainFigures } from './drain.ts';
import { footprint } from './footprint.ts';
import { peerCases } from './peers.ts';
import { alternate } from './rate.ts';
import { redisCpu } from './redis-cpu.ts';
import { rememberedCase } from './remembered.ts';

const SECRET = 'bench-only-secret-of-no-worth-0123456789';

/**
 * Measures checks: in batches and alone, over the call stream and unary, in memory and on one Redis, compared with an
 * empty RPC and with other rate limiters; the memory of a live bucket; and how each limiter drains. All cases take
 * turns in one run.
 */
export async function ratelimit(options: BenchOptions): Promise<undefined> {
  await withFixture(async (fixture) => {
    const redis = await testRedis();
    fixture.resources.add('redis', () => redis.close());
    const running = fixture.processes();
    const env = { RATELIMIT_KEY_SECRET: SECRET, RATELIMIT_MAX_BUCKETS: '2000000' };
    const memory = await running.start('ratelimit', env);
    const onRedis = await running.start('ratelimit', { ...env, REDIS_URL: redis.url });
    const empty = await running.start('empty-grpc');

    const checks = checkCases({ memory, onRedis, empty });
    fixture.resources.add('checks', checks.close);
    const peers = await peerCases(redis.url);
    fixture.resources.add('peers', peers.close);
    await alternate('checks', [...checks.cases, rememberedCase(), ...peers.cases], options);
    const { say, report, wants } = options;
    const others: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>> = {
      "Redis's processor time per bucket": () => redisCpu(redis.url, env),
      'bytes of a million live buckets': () => footprint(onRedis, redis.url),
      'burst and drain': () => drainFigures(onRedis, redis.url),
    };
    for (const [title, measure] of Object.entries(others)) {
      if (!wants(title)) continue;
      say(title);
      for (const table of recordTables(await measure(), title)) report(table);
    }
  });
}
