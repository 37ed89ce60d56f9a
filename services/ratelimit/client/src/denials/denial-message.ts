import type { Denial as DenialMessage } from '@gatehouse/proto/ratelimit';
import type { Denial } from '../leaky-bucket/store.ts';

/** Converts a denial to its protobuf message. */
export function denialMessage({ rule, retry_after_us, empty_after_us }: Denial): DenialMessage {
  return { bucket: rule.name, limit: rule.limit, retry_after_us, empty_after_us };
}
