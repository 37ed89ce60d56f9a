import type { Handler } from '@gatehouse/kit/rpc';
import type { PeekSlowmodeRequest, PeekSlowmodeResponse } from '@gatehouse/proto/ratelimit';
import { readSlowmodeCheck } from '../checks/read-slowmode-check.ts';
import type { Deps } from '../deps.ts';

export function peekSlowmode(deps: Deps): Handler<PeekSlowmodeRequest, PeekSlowmodeResponse> {
  return async (request) => {
    const { denial, degraded } = await deps.decider.decide(readSlowmodeCheck(deps, request, 0));
    return { retry_after_us: denial?.retry_after_us ?? null, degraded };
  };
}
