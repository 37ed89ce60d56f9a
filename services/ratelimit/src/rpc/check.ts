import type { Handler } from '@gatehouse/kit/rpc';
import type { CheckRequest, CheckResponse } from '@gatehouse/proto/ratelimit';
import { checkResponse } from '../checks/answers.ts';
import type { Deps } from '../deps.ts';

export function check({ charges, decider }: Deps): Handler<CheckRequest, CheckResponse> {
  return ({ sets }) => {
    const verdict = decider.decide(charges.check(sets));
    return verdict instanceof Promise ? verdict.then(checkResponse) : checkResponse(verdict);
  };
}
