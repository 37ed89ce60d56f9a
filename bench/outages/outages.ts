import { testRedisSentinel } from '@gatehouse/dev-env/redis/redis-sentinel';
import { type RedisServer, redisServer } from '@gatehouse/dev-env/redis/redis-server';
import type { BenchOptions } from '../bench.ts';
import { withFixture } from '../parts/fixture.ts';
import type { Row } from '../report/table.ts';
import { chargeDuringOutage } from './charge-during-outage.ts';

interface Outage {
  readonly name: string;
  readonly begin: (redis: RedisServer) => unknown;
  readonly end?: (redis: RedisServer) => unknown;
}

const TITLE = 'outages of Redis';
const FAILOVER = 'primary killed, Sentinel fails over';
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
export async function outages({ seconds, say, report, wants }: BenchOptions): Promise<undefined> {
  const wanted = OUTAGES.filter(({ name }) => wants(TITLE, name));
  const isFailoverWanted = wants(TITLE, FAILOVER);
  if (wanted.length === 0 && !isFailoverWanted) return;
  await withFixture(async (fixture) => {
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
    const rows: Row[] = [];
    const measure = async (
      name: string,
      at: readonly string[],
      outage: Parameters<typeof chargeDuringOutage>[2],
    ) => {
      say(name);
      rows.push({ name, figures: { ...(await chargeDuringOutage(at, seconds, outage)) } });
    };
    for (const { name, begin, end } of wanted)
      await measure(name, addresses, { begin: async () => begin(redis), end: async () => end?.(redis) });
    if (isFailoverWanted) {
      const sentinel = await testRedisSentinel();
      fixture.resources.add('sentinel', () => sentinel.close());
      const begin = () => sentinel.primary.kill();
      await measure(FAILOVER, await replicas(sentinel.url), { begin, end: async () => undefined });
    }
    report({ title: TITLE, about: `Each for ${seconds} s.`, rows });
  });
}
