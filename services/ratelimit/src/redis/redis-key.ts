import { hash } from 'node:crypto';
import { firstIdentity } from '@gatehouse/ratelimit-client/keys/bucket-key';
import type { LimitKind } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { Bucket } from '@gatehouse/ratelimit-client/leaky-bucket/store';

/** With Redis's overhead, a bucket with a longer key takes over 200 bytes. */
const MAX_LENGTH = 60;
const DIGEST_LENGTH = 16; // 96 bits, among buckets of one first identity only
/** No identity has these after its braces: in keys "~" is followed by a digit. */
const KIND_MARKS: Readonly<Record<LimitKind, string>> = {
  leaky_bucket: ':',
  fixed_window: '~w:',
  concurrency: '~c:',
};

/**
 * The key of a bucket in Redis: "rl:{account:1}:user:profile|target_user:2", or, for a long one, "rl:{account:1}:#"
 * and a digest of the rest. The braces contain the first identity, which alone decides the slot in a cluster, so that
 * all buckets of one identity share a slot. After the braces, "~w" marks a fixed window and "~c" a concurrency limit: while
 * replicas read a changed kind one after the other, none of them overwrites the count of the others.
 */
export function redisKey({ rule, key }: Bucket): string {
  const first = firstIdentity(key);
  const tag = `rl:{${first}}${KIND_MARKS[rule.kind]}`;
  const rest = rule.name + key.slice(first.length);
  if (tag.length + rest.length <= MAX_LENGTH) return tag + rest;
  return `${tag}#${hash('sha256', rest, 'base64url').slice(0, DIGEST_LENGTH)}`;
}
