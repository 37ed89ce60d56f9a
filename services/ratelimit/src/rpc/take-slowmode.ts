import type { Handler } from '@gatehouse/kit/rpc';
import type { TakeSlowmodeRequest, TakeSlowmodeResponse } from '@gatehouse/proto/ratelimit';
import { readSlowmodeCheck } from '../checks/read-slowmode-check.ts';
import type { Deps } from '../deps.ts';
import { mapResult } from '../map-result.ts';
import type { Verdict } from '../stores/verdict.ts';

export function takeSlowmode(deps: Deps): Handler<TakeSlowmodeRequest, TakeSlowmodeResponse> {
  return (request) => {
    return mapResult(deps.decider.decide(readSlowmodeCheck(deps, request, 1)), slowmodeResponse);
  };
}

function slowmodeResponse({ denial, degraded }: Verdict): TakeSlowmodeResponse {
  return { retry_after_us: denial?.retry_after_us ?? null, degraded };
}
