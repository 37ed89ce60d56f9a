import type { TakeSlowmodeRequest } from '@gatehouse/proto/ratelimit';
import { bucketKey } from './keys/bucket-key.ts';
import { rate } from './leaky-bucket/leaky-bucket.ts';
import type { BucketRule, Check } from './leaky-bucket/store.ts';

/** What a message counts against: the channel's interval is the window, and one message is the whole bucket. */
export function slowmodeCheck(
  slowmode: BucketRule,
  { account_id, channel_id, interval_seconds }: TakeSlowmodeRequest,
): Check {
  const rule = { ...slowmode, ...rate(slowmode.limit, interval_seconds) };
  return [[{ rule, key: bucketKey([`account:${account_id}`, `channel:${channel_id}`]), cost: 1 }]];
}
