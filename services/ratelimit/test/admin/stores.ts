import { redisIsMissing, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Config } from '../../src/config.ts';
import { KEY_SECRET, type Peer, type Served, startRatelimit } from '../support.ts';
import { type Admin, adminOf } from './admin-support.ts';

export interface Opened {
  readonly peer: Peer;
  readonly served: Served;
  readonly admin: Admin;
}

/** Redis decides, and not failure policies, on a busy machine too. */
export const UNHURRIED = { redis_timeout_ms: 5_000, key_secret: KEY_SECRET } as const;

/** Runs tests of one replica with a store in memory, and with Redis. */
export function inEachStore(config: Partial<Config>, tests: (opened: () => Opened) => void): void {
  describe('in memory', () => withReplica(async () => ({ config, close: async () => {} }), tests));

  describe.skipIf(redisIsMissing)('in Redis', () =>
    withReplica(async () => {
      const redis = await testRedis();
      return { config: { ...config, ...UNHURRIED, redis_url: redis.url }, close: () => redis.close() };
    }, tests),
  );
}

function withReplica(
  open: () => Promise<{ readonly config: Partial<Config>; close(): Promise<void> }>,
  tests: (opened: () => Opened) => void,
): void {
  let opened: Opened;
  let closeStore = async () => {};

  beforeAll(async () => {
    const { config, close } = await open();
    closeStore = close;
    const served = await startRatelimit(config);
    opened = { peer: served.peer, served, admin: adminOf(served) };
  });
  afterAll(async () => {
    opened?.admin.close();
    await opened?.served.close();
    await closeStore();
  });

  tests(() => opened);
}
