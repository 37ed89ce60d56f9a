import { redisIsMissing, testRedis } from '@gatehouse/dev-env/redis/test-redis';
import { silentLogger } from '@gatehouse/kit/log';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import type { IdentityReset } from '../../src/overrides/overrides.ts';
import { RedisOverrides } from '../../src/overrides/redis-overrides.ts';
import { sealUnder } from '../../src/overrides/seal.ts';
import { redisValues } from '../../src/redis/redis-values.ts';
import { KEY_SECRET } from '../support.ts';

test.skipIf(redisIsMissing)(
  'a reset that fails at a replica is made later, and the others once',
  async () => {
    const redis = await testRedis();
    const client = new Redis(redis.url);
    onTestFinished(async () => {
      await client.quit();
      await redis.close();
    });
    const replica = (reset: (reset: IdentityReset) => Promise<void>) =>
      new RedisOverrides({
        values: redisValues(client),
        seal: sealUnder(KEY_SECRET),
        onChange: () => {},
        reset,
        log: silentLogger,
      });
    const made: string[] = [];
    let isAway = true;
    const follower = replica(async ({ identity }) => {
      if (isAway && identity === 'account:2') throw new Error('Redis is away');
      made.push(identity);
    });
    await follower.list();
    const announcer = replica(async () => {});
    for (const identity of ['account:1', 'account:2', 'account:3'])
      await announcer.announceReset({ identity, bucket: undefined });

    await expect(follower.list()).rejects.toThrow('Redis is away');
    isAway = false;
    await follower.list();
    await follower.list();
    expect(made).toEqual(['account:1', 'account:2', 'account:3']);
  },
);
