import type { Handler } from '@gatehouse/kit/rpc';
import type { TakeSlowmodeRequest, TakeSlowmodeResponse } from '@gatehouse/proto/ratelimit';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import { bucketKey } from '../checks/bucket-key.ts';
import { readId } from '../checks/read-id.ts';
import type { Verdict } from '../checks/verdict.ts';
import type { Deps } from '../deps.ts';
import { badInterval } from '../errors.ts';

const MAX_INTERVAL_SECONDS = 21_600;

/** The channel's interval is the window: one message is the whole bucket. */
export function takeSlowmode({ rules, decider }: Deps): Handler<TakeSlowmodeRequest, TakeSlowmodeResponse> {
  return (request) => {
    const { interval_seconds } = request;
    const key = bucketKey([
      `account:${readId('account_id', request.account_id)}`,
      `channel:${readId('channel_id', request.channel_id)}`,
    ]);
    if (interval_seconds < 1 || interval_seconds > MAX_INTERVAL_SECONDS) {
      throw badInterval(1, MAX_INTERVAL_SECONDS);
    }
    const { slowmode } = rules.current().internal;
    const rule = { ...slowmode, ...rate(slowmode.limit, interval_seconds) };
    const verdict = decider.decide([[{ rule, key, cost: 1 }]]);
    return verdict instanceof Promise ? verdict.then(response) : response(verdict);
  };
}

function response({ denial, degraded }: Verdict): TakeSlowmodeResponse {
  return { retry_after_us: denial?.retry_after_us ?? null, degraded };
}
