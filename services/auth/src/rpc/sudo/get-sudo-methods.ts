import type { Handler } from '@gatehouse/kit/rpc';
import type { GetSudoMethodsRequest, GetSudoMethodsResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { requireSudoState, sudoMethods } from '../../sudo/sudo.ts';

export function getSudoMethods(deps: Deps): Handler<GetSudoMethodsRequest, GetSudoMethodsResponse> {
  return async (_request, { caller }) => sudoMethods(await requireSudoState(deps, caller));
}
