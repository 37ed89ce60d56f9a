import type { Handler } from '@gatehouse/kit/rpc';
import type { TakeSlowmodeRequest, TakeSlowmodeResponse } from '@gatehouse/proto/ratelimit';
import { checkSlowmode } from '../checks/check-slowmode.ts';
import type { Deps } from '../deps.ts';
import type { Verdict } from '../stores/verdict.ts';

export function takeSlowmode({ rules, decider }: Deps): Handler<TakeSlowmodeRequest, TakeSlowmodeResponse> {
  return (request) => {
    const verdict = decider.decide(checkSlowmode(rules.current(), request, 1));
    return verdict instanceof Promise ? verdict.then(response) : response(verdict);
  };
}

function response({ denial, degraded }: Verdict): TakeSlowmodeResponse {
  return { retry_after_us: denial?.retry_after_us ?? null, degraded };
}
