import type { Handler } from '@gatehouse/kit/rpc';
import type { BucketState, PeekRequest, PeekResponse } from '@gatehouse/proto/ratelimit';
import type { ReadState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { stateMessage } from '../checks/messages.ts';
import type { Deps } from '../deps.ts';
import { isExempt } from '../overrides/overridden-rule.ts';
import type { Rule } from '../reference/reference.ts';

export function peek({ charges, decider }: Deps): Handler<PeekRequest, PeekResponse> {
  return async (request) => {
    const buckets = charges.buckets(request.charges);
    const states = await decider.read(buckets);
    return { states: buckets.map((bucket, i) => stateOf(bucket, states[i])) };
  };
}

/** An identity that is exempt is always admitted, and shown as such. */
function stateOf({ rule }: { readonly rule: Rule }, state: ReadState | undefined): BucketState {
  if (state === undefined) throw new Error('the store did not read every bucket');
  if (!isExempt(rule)) return stateMessage(state);
  const { name: bucket, limit } = rule;
  return { bucket, limit, remaining: limit, retry_after_us: 0, empty_after_us: 0 };
}
