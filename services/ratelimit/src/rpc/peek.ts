import type { Handler } from '@gatehouse/kit/rpc';
import type { PeekRequest, PeekResponse } from '@gatehouse/proto/ratelimit';
import { stateMessage } from '../checks/messages.ts';
import type { Deps } from '../deps.ts';

export function peek({ charges, decider }: Deps): Handler<PeekRequest, PeekResponse> {
  return async (request) => {
    const states = await decider.read(charges.buckets(request.charges));
    return { states: states.map(stateMessage) };
  };
}
