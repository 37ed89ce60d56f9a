import rateLimit from '@fastify/rate-limit';
import { fastify } from 'fastify';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible';
import type { RateCase } from './rate.ts';

const ACCOUNTS = 200_000;
const account = (): string => `account:${Math.floor(Math.random() * ACCOUNTS)}`;

/** Other rate limiters doing the same work in this process: two limits of an account. */
export async function peerCases(url: string): Promise<{ cases: RateCase[]; close(): Promise<void> }> {
  const redis = new Redis(url);
  const limits = { points: 100, duration: 10 };
  const one = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'one', ...limits });
  const two = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'two', ...limits });
  const union = new RateLimiterUnion(one, two);
  const memory = new RateLimiterUnion(
    new RateLimiterMemory({ keyPrefix: 'one', ...limits }),
    new RateLimiterMemory({ keyPrefix: 'two', ...limits }),
  );
  const app = fastify();
  await app.register(rateLimit, {
    max: 100,
    timeWindow: '10 seconds',
    keyGenerator: account,
    cache: ACCOUNTS,
  });
  app.get('/', () => 'ok');
  await app.ready();
  const counted = async (work: Promise<unknown>): Promise<number> => {
    await work;
    return 1;
  };
  return {
    cases: [
      {
        name: 'rate-limiter-flexible: union of two, Redis',
        concurrency: 64,
        once: () => counted(union.consume(account())),
      },
      {
        name: 'rate-limiter-flexible: one, Redis',
        concurrency: 64,
        once: () => counted(one.consume(account())),
      },
      {
        name: 'rate-limiter-flexible: union of two, memory',
        concurrency: 64,
        once: () => counted(memory.consume(account())),
      },
      {
        name: '@fastify/rate-limit: one, memory, with inject',
        concurrency: 64,
        once: () => counted(app.inject('/')),
      },
    ],
    close: async () => {
      redis.disconnect();
      await app.close();
    },
  };
}
