import type { Handler } from '@gatehouse/kit/rpc';
import {
  RateLimitResponse_Code as Code,
  type RateLimitRequest,
  type RateLimitResponse,
} from '@gatehouse/proto/envoy/ratelimit';
import { denialMessage } from '@gatehouse/ratelimit-client/denials/denial-message';
import { tooManyRequests } from '@gatehouse/ratelimit-client/denials/too-many-requests';
import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import type { RuleCharge } from '../checks/charge-reader.ts';
import type { Decider } from '../checks/decider.ts';
import type { Deps } from '../deps.ts';
import { readDescriptors } from '../envoy/read-descriptors.ts';
import { type States, statesOf, statuses } from '../envoy/statuses.ts';
import { ADMITTED, type Verdict } from '../stores/verdict.ts';

export function shouldRateLimit({
  charges: reader,
  rules,
  decider,
}: Deps): Handler<RateLimitRequest, RateLimitResponse> {
  return async (request) => {
    const { charges, check } = readDescriptors(request, rules.current(), reader);
    if (check.every((set) => set.every(({ cost }) => cost < 0))) {
      await decider.refund(check.flat().map((charge) => ({ ...charge, cost: -charge.cost })));
      return answer(charges, ADMITTED, await readStates(decider, check));
    }
    const isRemembered = decider.remembered(check) !== undefined;
    const verdict = await decider.decide(check);
    // Not after a remembered denial, which must cost the store nothing, and not while the store is down.
    const states = isRemembered || verdict.degraded ? NO_STATES : await readStates(decider, check);
    return answer(charges, verdict, states);
  };
}

const NO_STATES: States = new Map();

/** No states if the read fails: the charges are made. */
async function readStates(decider: Decider, check: Check): Promise<States> {
  try {
    return statesOf(await decider.read(check.flat()));
  } catch {
    return NO_STATES;
  }
}

function answer(
  charges: readonly RuleCharge[],
  { denial, degraded }: Verdict,
  states: States,
): RateLimitResponse {
  const common = {
    statuses: statuses(charges, denial, states),
    dynamic_metadata: degraded ? { degraded } : null,
  };
  if (denial === undefined) {
    return { overall_code: Code.OK, ...common, response_headers_to_add: [], raw_body: new Uint8Array() };
  }
  const { headers, members } = tooManyRequests(denialMessage(denial), Date.now());
  const withType = { 'content-type': 'application/json', ...headers };
  return {
    overall_code: Code.OVER_LIMIT,
    ...common,
    response_headers_to_add: Object.entries(withType).map(([key, value]) => ({ key, value })),
    raw_body: Buffer.from(JSON.stringify(members)),
  };
}
