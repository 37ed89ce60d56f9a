import {
  type Bucket,
  type CheckResponse,
  FailurePolicy,
  type BucketState as StateMessage,
} from '@gatehouse/proto/ratelimit';
import type { BucketState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { Policy } from '../reference/read-rows.ts';
import type { Rule } from '../reference/reference.ts';
import type { Verdict } from './verdict.ts';

const ADMITTED: CheckResponse = { denial: null, degraded: false };

/** A verdict as the contract tells it. */
export function checkResponse({ denial, degraded }: Verdict): CheckResponse {
  if (denial === undefined) return degraded ? { denial: null, degraded } : ADMITTED;
  const { rule, retry_after_us, empty_after_us } = denial;
  return { denial: { bucket: rule.name, limit: rule.limit, retry_after_us, empty_after_us }, degraded };
}

/** A bucket's state as the contract tells it. */
export function stateMessage({ rule, level, retry_after_us, empty_after_us }: BucketState): StateMessage {
  // A lowered limit may leave more in a bucket than it holds now.
  const remaining = Math.max(0, Math.floor((rule.capacity - level) / rule.window_us));
  return { bucket: rule.name, limit: rule.limit, remaining, retry_after_us, empty_after_us };
}

/** A row of the reference as the contract tells it. */
export function bucketMessage({ name, limit, window_seconds, key, aliases, policy }: Rule): Bucket {
  return { name, limit, window_seconds, key: [...key], aliases: [...aliases], policy: POLICIES[policy] };
}

const POLICIES: Readonly<Record<Policy, FailurePolicy>> = {
  local: FailurePolicy.FAILURE_POLICY_LOCAL,
  open: FailurePolicy.FAILURE_POLICY_OPEN,
  closed: FailurePolicy.FAILURE_POLICY_CLOSED,
};
