import { requireAccount } from '@gatehouse/kit/caller';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetCurrentUserRequest, GetCurrentUserResponse } from '@gatehouse/proto/auth';
import { userFor } from '../../accounts/account-view.ts';
import type { Deps } from '../../deps.ts';

export function getCurrentUser({
  batched,
  config,
}: Deps): Handler<GetCurrentUserRequest, GetCurrentUserResponse> {
  return async (_request, { caller }) => {
    const account = await batched.findAccount(requireAccount(caller));
    if (account === undefined) throw unauthorized();
    return { user: userFor(account, caller, config) };
  };
}
