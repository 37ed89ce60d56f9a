import type { Handler } from '@gatehouse/kit/rpc';
import type { TakeProfileChangesRequest, TakeProfileChangesResponse } from '@gatehouse/proto/ratelimit';
import { deniedField, profileCharges } from '@gatehouse/ratelimit-client/profile-charges';
import { validateId } from '../checks/validate-id.ts';
import type { Deps } from '../deps.ts';
import { badFields } from '../errors.ts';
import { mapResult } from '../map-result.ts';
import { internalCheck } from '../overrides/internal-charges.ts';
import type { Verdict } from '../stores/verdict.ts';

/** All fields are counted, or none. */
export function takeProfileChanges(
  deps: Deps,
): Handler<TakeProfileChangesRequest, TakeProfileChangesResponse> {
  const { rules, decider, overrides } = deps;
  return (request) => {
    const { account_id, guild_id, fields } = request;
    validateId('account_id', account_id);
    if (typeof guild_id === 'string') validateId('guild_id', guild_id);
    const set = profileCharges(rules.current().internal, request);
    if (fields.length === 0 || new Set(fields).size < fields.length || set.length < fields.length)
      throw badFields();
    return mapResult(decider.decide(internalCheck(set, overrides.table)), profileChangesResponse);
  };
}

function profileChangesResponse({ denial, degraded }: Verdict): TakeProfileChangesResponse {
  if (denial === undefined) return { denial: null, degraded };
  return { denial: { field: deniedField(denial), retry_after_us: denial.retry_after_us }, degraded };
}
