import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { readConfig } from '@gatehouse/ratelimit/config';
import { start } from '@gatehouse/ratelimit/start';
import { Redis } from 'ioredis';
import { median } from '../load/load.ts';
import { LASTING_ACCOUNTS, manyChecks, twoLastingBuckets } from './check-cases.ts';
import { perSecond, type RateCase } from './rate.ts';
import { recorder, replay } from './recorder.ts';

const REPLAYS = 15;

/**
 * Microseconds of Redis's CPU per bucket, as Redis reports it, under CheckMany: for existing buckets, and for buckets
 * that are created each time because the last ones have expired. The service runs in this process, so that Redis has
 * one of two cores. Then replays the bytes that the service sent, at once and alone: the cost when Redis is the
 * bottleneck.
 */
export async function redisCpu(url: string, env: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const loaded = await underLoad(url, env);
  return { ...loaded, ...(await replayed(url, env)) };
}

async function replayed(url: string, env: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const { hostname: host, port } = new URL(url);
  const target = { host, port: Number(port) };
  const redis = new Redis(url);
  const proxy = await recorder(target);
  const config = readConfig({ ...env, REDIS_URL: `redis://${proxy.address}`, LOG_LEVEL: 'error' });
  const service = await start({ ...config, listen: '127.0.0.1:0' });
  const connection = connect(RatelimitServiceDefinition, { address: service.address });
  const figures: number[] = [];
  try {
    const many = manyChecks('recorded', connection);
    await perSecond(many, 0.2); // loads scripts, warms up the compiler
    proxy.take();
    let checks = 0;
    const once = async () => {
      const done = await many.once();
      checks += done;
      return done;
    };
    await perSecond({ ...many, once }, 0.5);
    const bytes = proxy.take();
    for (let round = 0; round < REPLAYS; round++) {
      await redis.flushall();
      const before = await cpuSeconds(redis);
      await replay(target, bytes);
      figures.push((((await cpuSeconds(redis)) - before) * 1e6) / (checks * 2));
    }
  } finally {
    connection.close();
    await service.close();
    proxy.close();
    redis.disconnect();
  }
  return { 'Redis alone, CPU per bucket': { us: Math.round(median(figures) * 100) / 100 } };
}

async function underLoad(url: string, env: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const redis = new Redis(url);
  const config = readConfig({ ...env, REDIS_URL: url, LOG_LEVEL: 'error' });
  const service = await start({ ...config, listen: '127.0.0.1:0' });
  const connection = connect(RatelimitServiceDefinition, { address: service.address });
  const lasting = manyChecks('lasting', connection, twoLastingBuckets);
  try {
    await redis.flushall();
    while ((await redis.dbsize()) < LASTING_ACCOUNTS * 2 * 0.99) await perSecond(lasting, 0.5);
    return {
      'Redis, CPU per existing bucket': { us: await cpuOf(redis, lasting) },
      'Redis, CPU per new bucket': { us: await cpuOf(redis, manyChecks('anew', connection)) },
    };
  } finally {
    connection.close();
    await service.close();
    redis.disconnect();
  }
}

/** Lasts a second, since a lasting bucket admits ten. */
async function cpuOf(redis: Redis, many: RateCase): Promise<number> {
  const before = await cpuSeconds(redis);
  const checks = await perSecond(many, 1);
  const used = (await cpuSeconds(redis)) - before;
  return Math.round((used * 1e8) / (checks * 2)) / 100;
}

async function cpuSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const read = (name: string): number => Number(new RegExp(`^${name}:([0-9.]+)`, 'm').exec(info)?.[1]);
  return read('used_cpu_user') + read('used_cpu_sys');
}
