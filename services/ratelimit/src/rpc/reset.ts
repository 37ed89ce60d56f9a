import type { Handler } from '@gatehouse/kit/rpc';
import type { ResetRequest, ResetResponse } from '@gatehouse/proto/ratelimit';
import type { Deps } from '../deps.ts';

export function reset({ charges, decider }: Deps): Handler<ResetRequest, ResetResponse> {
  return async (request) => {
    await decider.reset(charges.buckets(request.charges));
    return {};
  };
}
