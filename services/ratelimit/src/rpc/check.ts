import type { Handler } from '@gatehouse/kit/rpc';
import type { CheckRequest, CheckResponse } from '@gatehouse/proto/ratelimit';
import { check as decide } from '../check.ts';
import type { Deps } from '../deps.ts';
import { readSets } from '../read-sets.ts';

const ADMITTED: CheckResponse = { denial: null };

export function check({ reference, store, now_us, enforced }: Deps): Handler<CheckRequest, CheckResponse> {
  return ({ sets }) => {
    const charges = readSets(reference, sets);
    const denial = enforced ? decide(store, charges, now_us()) : undefined;
    if (denial === undefined) return ADMITTED;
    const { rule, retry_after_us, empty_after_us } = denial;
    return { denial: { bucket: rule.name, limit: rule.limit, retry_after_us, empty_after_us } };
  };
}
