import { testRedisSentinel } from '@gatehouse/dev-env/redis/redis-sentinel';
import { type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import type { BenchOptions } from '../bench.ts';
import { withFixture } from '../parts/fixture.ts';
import { chargeDuringOutage, type OutageFigures } from './charge-during-outage.ts';

interface Outage {
  readonly name: string;
  readonly begin: (redis: RedisServer) => unknown;
  readonly end?: (redis: RedisServer) => unknown;
}

const OUTAGES: readonly Outage[] = [
  { name: 'nothing happens', begin: () => undefined },
  { name: 'Redis killed, started again', begin: (redis) => redis.kill(), end: (redis) => redis.start() },
  {
    name: 'Redis stopped, continued',
    begin: (redis) => redis.signal('SIGSTOP'),
    end: (redis) => redis.signal('SIGCONT'),
  },
  { name: 'scripts flushed', begin: (redis) => redis.client.call('SCRIPT', 'FLUSH') },
  { name: 'all keys flushed', begin: (redis) => redis.client.flushall() },
];

/**
 * Measures the admissions and latencies of two replicas of ratelimit with sixteen callers, while their Redis is killed,
 * stopped, flushed or failed over for `seconds`.
 */
export async function outages({ seconds, say }: BenchOptions): Promise<Record<string, unknown>> {
  const figures: Record<string, OutageFigures> = {};
  return withFixture(async (fixture) => {
    const running = fixture.processes();
    const replicas = (url: string): Promise<string[]> => {
      const env = {
        REDIS_URL: url,
        RATELIMIT_REPLICAS: '2',
        RATELIMIT_KEY_SECRET: 'bench-only-secret-of-no-worth-0123456789',
      };
      return Promise.all([running.start('ratelimit', env), running.start('ratelimit', env)]);
    };
    const redis = await redisServer();
    fixture.resources.add('redis', () => redis.close());
    const addresses = await replicas(redis.url);
    for (const { name, begin, end } of OUTAGES) {
      say(name);
      figures[name] = await chargeDuringOutage(addresses, seconds, {
        begin: async () => begin(redis),
        end: async () => end?.(redis),
      });
    }
    const sentinel = await testRedisSentinel();
    fixture.resources.add('sentinel', () => sentinel.close());
    say('primary killed, Sentinel fails over');
    figures['primary killed, Sentinel fails over'] = await chargeDuringOutage(
      await replicas(sentinel.url),
      seconds,
      { begin: () => sentinel.primary.kill(), end: async () => undefined },
    );
    return { ...figures };
  });
}
