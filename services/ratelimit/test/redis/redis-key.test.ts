import { bucketKey } from '@gatehouse/ratelimit-client/keys/bucket-key';
import { LIMIT_KINDS, rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
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

test('of each kind is another key, in the same slot', () => {
  const key = bucketKey(['account:1', 'channel:2']);
  const keys = LIMIT_KINDS.map((kind) =>
    redisKey({ rule: { name: 'export', index: 0, ...rate(1, 1, kind) }, key }),
  );
  expect(keys).toEqual([
    'rl:{account:1}:export|channel:2',
    'rl:{account:1}~w:export|channel:2',
    'rl:{account:1}~c:export|channel:2',
  ]);
  // No identity can look like a mark.
  expect(keyOf('export', 'account:1}~w')).toBe('rl:{account:1}~0w}:export');
});
