import type { Bucket } from '@gatehouse/kit/leaky-bucket/store';
import { firstIdentity } from '../bucket-key.ts';

/**
 * The key of a bucket in Redis: "rl:{account:1}:channel:message:create|channel:2". What is in braces is
 * the first identity and alone decides the slot in a cluster, so that a party's buckets share one.
 */
export function redisKey({ rule, key }: Bucket): string {
  const first = firstIdentity(key);
  return `rl:{${first}}:${rule.name}${key.slice(first.length)}`;
}
