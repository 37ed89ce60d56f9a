import type { Handler } from '@gatehouse/kit/rpc';
import {
  RateLimitResponse_Code as Code,
  type RateLimitRequest,
  type RateLimitResponse,
} from '@gatehouse/proto/envoy/ratelimit';
import { denialMessage } from '@gatehouse/ratelimit-client/denials/denial-message';
import { tooManyRequests } from '@gatehouse/ratelimit-client/denials/too-many-requests';
import type { BucketState } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { RuleCharge } from '../checks/charge-reader.ts';
import type { Deps } from '../deps.ts';
import { answerOf } from '../descriptors/answer.ts';
import { decideRequest } from '../descriptors/decide-request.ts';
import type { Domain } from '../descriptors/descriptor-set.ts';
import { readRequest } from '../descriptors/read-request.ts';
import {
  type HeaderForm,
  headerList,
  leastQuota,
  quotaOf,
  referenceHeaders,
} from '../envoy/quota-headers.ts';
import { readDescriptors } from '../envoy/read-descriptors.ts';
import { deniedState, statuses } from '../envoy/statuses.ts';
import { mapResult } from '../map-result.ts';
import { ADMITTED, type Verdict } from '../stores/verdict.ts';

export function shouldRateLimit(deps: Deps): Handler<RateLimitRequest, RateLimitResponse> {
  const { charges: reader, rules, descriptors, decider, header_forms: forms } = deps;
  return (request) => {
    const domain = descriptors.domain(request.domain);
    if (domain !== undefined) return decideInDomain(request, domain, deps);
    const { charges, check } = readDescriptors(request, rules.current(), reader);
    if (check.length === 0) return answer(charges, ADMITTED, forms); // all of it is exempt
    if (check.every((set) => set.every(({ cost }) => cost < 0))) {
      const refunds = check.flat().map((charge) => ({ ...charge, cost: -charge.cost }));
      return decider.refund(refunds).then((states) => answer(charges, { ...ADMITTED, states }, forms));
    }
    return mapResult(decider.decideAndRead(check), (verdict) => answer(charges, verdict, forms));
  };
}

async function decideInDomain(
  request: RateLimitRequest,
  domain: Domain,
  { decider, statistics, header_forms }: Deps,
): Promise<RateLimitResponse> {
  const read = readRequest(request, domain);
  const charges = read.filter((descriptor) => typeof descriptor !== 'string');
  const decision = await decideRequest(charges, decider);
  for (const denial of decision.exhausted) {
    const charge = charges.find(({ rule, key }) => rule.index === denial.rule.index && key === denial.key);
    if (charge?.mode === 'shadow') statistics.countShadowed(charge);
  }
  return answerOf(read, decision, header_forms);
}

function answer(
  charges: readonly RuleCharge[],
  { denial, states, degraded }: Verdict,
  forms: readonly HeaderForm[],
): RateLimitResponse {
  const common = {
    statuses: statuses(charges, denial, states),
    dynamic_metadata: degraded ? { degraded } : null,
  };
  const quotaFields = quotaFieldsOf(denial === undefined ? states : [deniedState(denial)], forms);
  if (denial === undefined) {
    const response_headers_to_add = headerList(quotaFields);
    return { overall_code: Code.OK, ...common, response_headers_to_add, raw_body: new Uint8Array() };
  }
  const { headers, members } = tooManyRequests(denialMessage(denial), Date.now());
  return {
    overall_code: Code.OVER_LIMIT,
    ...common,
    response_headers_to_add: headerList({ 'content-type': 'application/json', ...quotaFields, ...headers }),
    raw_body: Buffer.from(JSON.stringify(members)),
  };
}

function quotaFieldsOf(
  states: readonly BucketState[],
  forms: readonly HeaderForm[],
): Readonly<Record<string, string>> {
  if (forms.length === 0) return {};
  const quota = leastQuota(states.map((state) => quotaOf(state)));
  return quota === undefined ? {} : referenceHeaders(quota, forms, Date.now());
}
