import { Redis } from 'ioredis';
import { perSecond, type RateCase } from './rate.ts';

/** Microseconds of Redis's CPU a bucket, by its own account, under CheckMany. */
export async function redisCpu(
  url: string,
  many: RateCase,
  seconds: number,
): Promise<Record<string, unknown>> {
  const redis = new Redis(url);
  try {
    const before = await cpuSeconds(redis);
    const checks = (await perSecond(many, seconds)) * seconds;
    const used = (await cpuSeconds(redis)) - before;
    return { 'Redis, CPU a bucket': { us: Math.round((used * 1e8) / (checks * 2)) / 100 } };
  } finally {
    redis.disconnect();
  }
}

async function cpuSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const read = (name: string): number => Number(new RegExp(`^${name}:([0-9.]+)`, 'm').exec(info)?.[1]);
  return read('used_cpu_user') + read('used_cpu_sys');
}
