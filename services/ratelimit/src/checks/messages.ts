import {
  type Bucket,
  type CheckResponse,
  FailurePolicy,
  type BucketState as StateMessage,
} from '@gatehouse/proto/ratelimit';
import type { Policy } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { denialMessage } from '@gatehouse/ratelimit-client/denials/denial-message';
import type { BucketState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Rule } from '../reference/reference.ts';
import type { Verdict } from '../stores/verdict.ts';

const ADMITTED_RESPONSE: CheckResponse = { denial: null, degraded: false };

/** Converts a verdict to its protobuf message. */
export function checkResponse({ denial, degraded }: Verdict): CheckResponse {
  if (denial === undefined) return degraded ? { denial: null, degraded } : ADMITTED_RESPONSE;
  return { denial: denialMessage(denial), degraded };
}

/** Converts a bucket's state to its protobuf message. */
export function stateMessage({ rule, level, retry_after_us, empty_after_us }: BucketState): StateMessage {
  // A bucket whose limit was lowered may hold more than its capacity.
  const remaining = Math.max(0, Math.floor((rule.capacity - level) / rule.window_us));
  return { bucket: rule.name, limit: rule.limit, remaining, retry_after_us, empty_after_us };
}

/** Converts a row of the reference to its protobuf message. */
export function bucketMessage({ name, limit, window_seconds, key, aliases, policy }: Rule): Bucket {
  return {
    name,
    limit,
    window_seconds,
    key: [...key],
    aliases: [...aliases],
    policy: POLICY_MESSAGES[policy],
  };
}

const POLICY_MESSAGES: Readonly<Record<Policy, FailurePolicy>> = {
  local: FailurePolicy.FAILURE_POLICY_LOCAL,
  open: FailurePolicy.FAILURE_POLICY_OPEN,
  closed: FailurePolicy.FAILURE_POLICY_CLOSED,
};
