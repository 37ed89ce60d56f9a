import type { Handler } from '@gatehouse/kit/rpc';
import type { CheckManyRequest, CheckManyResponse } from '@gatehouse/proto/ratelimit';
import { checkResponse } from '../checks/messages.ts';
import type { Deps } from '../deps.ts';
import { tooManyChecks, withPathPrefix } from '../errors.ts';
import { mapResult } from '../map-result.ts';
import type { Verdict } from '../stores/verdict.ts';

const MAX_CHECKS = 256;

export function checkMany({ charges, decider }: Deps): Handler<CheckManyRequest, CheckManyResponse> {
  return ({ checks }) => {
    if (checks.length > MAX_CHECKS) throw tooManyChecks(MAX_CHECKS);
    const read = checks.map(({ sets }, index) => {
      try {
        return charges.check(sets);
      } catch (error) {
        throw withPathPrefix(error, `checks.${index}`);
      }
    });
    return mapResult(decider.decideMany(read), checkManyResponse);
  };
}

function checkManyResponse(verdicts: readonly Verdict[]): CheckManyResponse {
  return { answers: verdicts.map(checkResponse) };
}
