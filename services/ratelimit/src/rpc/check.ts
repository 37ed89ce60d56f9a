import type { Handler } from '@gatehouse/kit/rpc';
import type { CheckRequest, CheckResponse } from '@gatehouse/proto/ratelimit';
import { checkResponse } from '../checks/messages.ts';
import type { Deps } from '../deps.ts';
import { mapResult } from '../map-result.ts';

export function check({ charges, decider }: Deps): Handler<CheckRequest, CheckResponse> {
  return ({ sets }) => {
    return mapResult(decider.decide(charges.check(sets)), checkResponse);
  };
}
