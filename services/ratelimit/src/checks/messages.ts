import {
  type Bucket,
  type CheckResponse,
  FailurePolicy,
  LimitKind as KindMessage,
  type BucketState as StateMessage,
} from '@gatehouse/proto/ratelimit';
import type { Policy } from '@gatehouse/ratelimit-client/degraded/failure-policies';
import { denialMessage } from '@gatehouse/ratelimit-client/denials/denial-message';
import type { LimitKind } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
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
  const remaining = Math.max(0, Math.floor((rule.capacity - level) / rule.token));
  return { bucket: rule.name, limit: rule.limit, remaining, retry_after_us, empty_after_us };
}

/** Converts a row of the reference to its protobuf message. */
export function bucketMessage({ name, kind, limit, window_seconds, key, aliases, policy }: Rule): Bucket {
  return {
    name,
    limit,
    window_seconds,
    key: [...key],
    aliases: [...aliases],
    policy: POLICY_MESSAGES[policy],
    kind: KIND_MESSAGES[kind],
  };
}

const KIND_MESSAGES: Readonly<Record<LimitKind, KindMessage>> = {
  leaky_bucket: KindMessage.LIMIT_KIND_LEAKY_BUCKET,
  fixed_window: KindMessage.LIMIT_KIND_FIXED_WINDOW,
  concurrency: KindMessage.LIMIT_KIND_CONCURRENCY,
};

const POLICY_MESSAGES: Readonly<Record<Policy, FailurePolicy>> = {
  local: FailurePolicy.FAILURE_POLICY_LOCAL,
  open: FailurePolicy.FAILURE_POLICY_OPEN,
  closed: FailurePolicy.FAILURE_POLICY_CLOSED,
};
