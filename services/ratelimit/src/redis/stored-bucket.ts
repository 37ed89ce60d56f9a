import {
  drained,
  drainTime,
  emptyAfter,
  rescaled,
  retryAfter,
} from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import type { Bucket, BucketRule, BucketState } from '@gatehouse/ratelimit-client/leaky-bucket/store';

const BYTES = 28;

/** The level of a stored bucket at `now_us`, under the given rule; null if Redis has no such bucket. */
export function storedBucketState(bucket: Bucket, stored: Buffer | null, now_us: number): BucketState {
  const { rule, key } = bucket;
  const level = stored === null ? 0 : levelOf(stored, rule, now_us);
  const retry_after_us = retryAfter(rule, level, 1);
  return { rule, key, level, retry_after_us, empty_after_us: emptyAfter(rule, level) };
}

/** As level_now in decide.lua, which describes the stored value. */
function levelOf(stored: Buffer, rule: BucketRule, now_us: number): number {
  if (stored.length !== BYTES) return 0;
  const level = stored.readDoubleLE(0);
  const last_us = stored.readDoubleLE(8);
  const window_us = stored.readDoubleLE(16);
  const limit = stored.readUInt32LE(24);
  if (window_us === rule.window_us && limit === rule.limit) return drained(rule, level, last_us, now_us);
  if (drainTime({ limit }, level) <= now_us - last_us) return 0;
  return drained(rule, rescaled(rule, level, window_us), last_us, now_us);
}
