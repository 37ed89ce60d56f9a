import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import rateLimit from '@fastify/rate-limit';
import { connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { fastify } from 'fastify';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible';

const LIMIT = 20;
const WINDOW_SECONDS = 10;
const BURST = 60;
const STEP_MS = 25;
/** Past the end of the window, where fixed windows admit another full burst. */
const DURATION_MS = 12_500;

/** Whether another request is admitted. */
type Limiter = () => Promise<boolean>;

/**
 * Sends requests without pause under a limit of 20 per 10 s. Reports what each limiter admits of a burst, in the next
 * nine seconds (a leaky bucket: 18), at most in any 10 s (a leaky bucket: 40, burst and drain), and at most in any one
 * second (a leaky bucket: 20, then 2 or 3).
 */
export async function drainFigures(address: string, redisUrl: string): Promise<Record<string, unknown>> {
  const { client, close } = connect(RatelimitServiceDefinition, { address });
  const redis = new Redis(redisUrl);
  const app = fastify();
  try {
    const key = randomUUID();
    const limits = { points: LIMIT, duration: WINDOW_SECONDS };
    const flexible = new RateLimiterRedis({ storeClient: redis, keyPrefix: `d1${key}`, ...limits });
    const union = new RateLimiterUnion(
      new RateLimiterRedis({ storeClient: redis, keyPrefix: `d2${key}`, ...limits }),
      new RateLimiterRedis({ storeClient: redis, keyPrefix: `d3${key}`, ...limits, points: 1000 }),
    );
    await app.register(rateLimit, { max: LIMIT, timeWindow: WINDOW_SECONDS * 1000 });
    app.get('/', () => 'ok');
    await app.ready();
    const charges = [
      { bucket: 'channel:message:create', identities: [`account:${key}`, 'channel:1'], cost: null },
    ];
    const limiters: Readonly<Record<string, Limiter>> = {
      gatehouse: async () => {
        const { denial } = await client.check({ sets: [{ charges }] }, { timeoutMs: 5_000 });
        return denial === null || denial === undefined;
      },
      RateLimiterRedis: () => consumed(flexible.consume('one')),
      RateLimiterUnion: () => consumed(union.consume('one')),
      '@fastify/rate-limit': async () => (await app.inject('/')).statusCode === 200,
    };
    const figures = await Promise.all(
      Object.entries(limiters).map(
        async ([name, limiter]) => [`drain: ${name}`, await drain(limiter)] as const,
      ),
    );
    return Object.fromEntries(figures);
  } finally {
    close();
    redis.disconnect();
    await app.close();
  }
}

async function consumed(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    return false;
  }
}

async function drain(limiter: Limiter): Promise<Record<string, unknown>> {
  const admittedAt: number[] = [];
  const startedAt = performance.now();
  const attempt = async (): Promise<void> => {
    if (await limiter()) admittedAt.push(performance.now() - startedAt);
  };
  for (let n = 0; n < BURST; n++) await attempt();
  const burst = admittedAt.length;
  while (performance.now() - startedAt < DURATION_MS) {
    await attempt();
    await sleep(STEP_MS);
  }
  const countFrom = (from: number, ms: number): number =>
    admittedAt.filter((at) => at >= from && at < from + ms).length;
  const afterBurst = admittedAt.slice(burst);
  return {
    burst,
    next_9_s: afterBurst.filter((at) => at < 9_000).length,
    most_in_10_s: Math.max(...admittedAt.map((from) => countFrom(from, WINDOW_SECONDS * 1000))),
    most_in_a_later_1_s: Math.max(0, ...afterBurst.map((from) => countFrom(from, 1_000))),
  };
}
