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

const ADMITTED: CheckResponse = { denial: null, degraded: false };

/** Makes the contract's message of a verdict. */
export function checkResponse({ denial, degraded }: Verdict): CheckResponse {
  if (denial === undefined) return degraded ? { denial: null, degraded } : ADMITTED;
  return { denial: denialMessage(denial), degraded };
}

/** Makes the contract's message of a bucket's state. */
export function stateMessage({ rule, level, retry_after_us, empty_after_us }: BucketState): StateMessage {
  // After a limit was lowered, a bucket may hold more than its capacity.
  const remaining = Math.max(0, Math.floor((rule.capacity - level) / rule.window_us));
  return { bucket: rule.name, limit: rule.limit, remaining, retry_after_us, empty_after_us };
}

/** Makes the contract's message of a row of the reference. */
export function bucketMessage({ name, limit, window_seconds, key, aliases, policy }: Rule): Bucket {
  return { name, limit, window_seconds, key: [...key], aliases: [...aliases], policy: POLICIES[policy] };
}

const POLICIES: Readonly<Record<Policy, FailurePolicy>> = {
  local: FailurePolicy.FAILURE_POLICY_LOCAL,
  open: FailurePolicy.FAILURE_POLICY_OPEN,
  closed: FailurePolicy.FAILURE_POLICY_CLOSED,
};
