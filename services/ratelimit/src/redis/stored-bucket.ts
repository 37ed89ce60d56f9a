import { levelAt, timeToEmpty, waitFor } from '@gatehouse/ratelimit-client/leaky-bucket/bucket-level';
import { rateOf } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import type { Bucket, BucketRule, ReadState } from '@gatehouse/ratelimit-client/leaky-bucket/store';

const BYTES = 28;

/** The level of a stored bucket at `now_us`, under the given rule; null if Redis has no such bucket. */
export function storedBucketState(bucket: Bucket, stored: Buffer | null, now_us: number): ReadState {
  const { rule, key } = bucket;
  const level = stored === null ? 0 : levelOf(stored, rule, now_us);
  const retry_after_us = waitFor(rule, level, 1, 0, now_us);
  const empty_after_us = timeToEmpty(rule, level, 0, now_us);
  return { rule, key, level, retry_after_us, empty_after_us, read_at_us: now_us };
}

/** As level_now in decide.lua, which describes the stored value. */
function levelOf(stored: Buffer, rule: BucketRule, now_us: number): number {
  if (stored.length !== BYTES) return 0;
  const from = rateOf(stored.readUInt32LE(24), stored.readDoubleLE(16), 'leaky_bucket');
  return levelAt(rule, stored.readDoubleLE(0), from, stored.readDoubleLE(8), now_us);
}
