import type { Handler } from '@gatehouse/kit/rpc';
import type { RefundRequest, RefundResponse } from '@gatehouse/proto/ratelimit';
import type { Deps } from '../deps.ts';

export function refund({ charges, decider }: Deps): Handler<RefundRequest, RefundResponse> {
  return async (request) => {
    await decider.refund(charges.refunds(request.charges));
    return {};
  };
}
