import { bucketKey } from './keys/bucket-key.ts';
import { rate } from './leaky-bucket/rate.ts';
import type { BucketRule, Charge } from './leaky-bucket/store.ts';

/** A message in a channel with slowmode. */
export interface SlowmodeMessage {
  readonly account_id: string;
  readonly channel_id: string;
  readonly interval_seconds: number;
}

/** The check of a message: the channel's interval is the window, and one message fills the bucket. A cost of 0 peeks. */
export function slowmodeCheck<R extends BucketRule>(
  slowmode: R,
  { account_id, channel_id, interval_seconds }: SlowmodeMessage,
  cost: 0 | 1,
): [[Charge & { readonly rule: R }]] {
  const rule = { ...slowmode, ...rate(slowmode.limit, interval_seconds, slowmode.kind) };
  return [[{ rule, key: bucketKey([`account:${account_id}`, `channel:${channel_id}`]), cost }]];
}
