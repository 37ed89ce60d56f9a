import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { redisIsMissing, testRedis } from '../src/redis/test-redis.ts';

describe.skipIf(redisIsMissing)('testRedis', () => {
  test('is a real server that is gone once closed', async () => {
    const server = await testRedis();
    const client = new Redis(server.url, { retryStrategy: () => null });
    client.on('error', () => undefined);
    expect(await client.set('key', 'value')).toBe('OK');
    expect(await client.get('key')).toBe('value');
    client.disconnect();
    await server.close();
  });
});
