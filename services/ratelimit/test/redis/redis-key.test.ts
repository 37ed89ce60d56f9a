import { bucketKey } from '@gatehouse/ratelimit-client/keys/bucket-key';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { expect, test } from 'vitest';
import { redisKey } from '../../src/redis/redis-key.ts';

function keyOf(name: string, ...identities: string[]): string {
  return redisKey({ rule: { name, index: 0, ...rate(1, 1) }, key: bucketKey(identities) });
}

test('names the first identity, the bucket, and the other identities', () => {
  expect(keyOf('global', 'ip:203.0.113.7')).toBe('rl:{ip:203.0.113.7}:global');
  expect(keyOf('user:profile', 'account:1', 'account:2')).toBe('rl:{account:1}:user:profile|account:2');
});

test('is short for long identities too, and unique per bucket', () => {
  const [account, channel] = ['account:1423344334333440001', 'channel:1423344334333440002'];
  const keys = [
    keyOf('channel:message:create', account, channel),
    keyOf('channel:message:update', account, channel),
    keyOf('channel:message:create', account, `${channel}0`),
    keyOf('channel:message:create', account, 'c'.repeat(512)),
    keyOf('channel:message:create', account, 'c'.repeat(512), 'c'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  for (const key of keys) expect(key).toMatch(/^rl:\{account:1423344334333440001\}:#[\w-]{16}$/);
});
