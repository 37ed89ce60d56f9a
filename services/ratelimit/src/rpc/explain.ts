import type { Handler } from '@gatehouse/kit/rpc';
import type { ExplainRequest, ExplainResponse } from '@gatehouse/proto/ratelimit';
import { dryRun } from '../checks/dry-run.ts';
import { bucketMessage, stateMessage } from '../checks/messages.ts';
import type { Deps } from '../deps.ts';
import { withPathPrefix } from '../errors.ts';
import { isExempt } from '../overrides/overridden-rule.ts';

export function explain(deps: Deps): Handler<ExplainRequest, ExplainResponse> {
  const { charges, decider, rules, store_name } = deps;
  return async ({ check }) => {
    const sets = readCheck();
    const { revision } = rules.current();
    const remembered = decider.remembered(sets);
    const { forecasts, admitted } = dryRun(sets, await decider.read(sets.flat()));
    return {
      explanations: forecasts.map(({ set, charge, state, retry_after_us }) => ({
        set,
        rule: bucketMessage(charge.rule),
        state: stateMessage(state),
        cost: charge.cost,
        admitted: retry_after_us === 0,
        retry_after_us,
        remembered: remembered?.rule === charge.rule && remembered.key === charge.key && set === 0,
        overridden: charge.rule.overridden !== undefined,
        exempt: isExempt(charge.rule),
      })),
      admitted: admitted && remembered === undefined,
      store: store_name,
      revision,
    };

    function readCheck() {
      try {
        return charges.wholeCheck(check?.sets ?? []);
      } catch (error) {
        throw withPathPrefix(error, 'check');
      }
    }
  };
}
