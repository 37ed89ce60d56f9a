import type { Handler } from '@gatehouse/kit/rpc';
import type { TakeSlowmodeRequest, TakeSlowmodeResponse } from '@gatehouse/proto/ratelimit';
import { slowmodeCheck } from '@gatehouse/ratelimit-client/slowmode';
import { checkId } from '../checks/check-id.ts';
import type { Verdict } from '../checks/verdict.ts';
import type { Deps } from '../deps.ts';
import { badInterval } from '../errors.ts';

const MAX_INTERVAL_SECONDS = 21_600;

export function takeSlowmode({ rules, decider }: Deps): Handler<TakeSlowmodeRequest, TakeSlowmodeResponse> {
  return (request) => {
    checkId('account_id', request.account_id);
    checkId('channel_id', request.channel_id);
    const { interval_seconds } = request;
    if (interval_seconds < 1 || interval_seconds > MAX_INTERVAL_SECONDS) {
      throw badInterval(1, MAX_INTERVAL_SECONDS);
    }
    const verdict = decider.decide(slowmodeCheck(rules.current().internal.slowmode, request));
    return verdict instanceof Promise ? verdict.then(response) : response(verdict);
  };
}

function response({ denial, degraded }: Verdict): TakeSlowmodeResponse {
  return { retry_after_us: denial?.retry_after_us ?? null, degraded };
}
