import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveMemberRoleRequest, RemoveMemberRoleResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { changeMemberRole } from '../../members/change-member-role.ts';

export function removeMemberRole(deps: Deps): Handler<RemoveMemberRoleRequest, RemoveMemberRoleResponse> {
  return async (request, call) => {
    await changeMemberRole(deps, requireAccount(call.caller), request, 'remove');
    return {};
  };
}
