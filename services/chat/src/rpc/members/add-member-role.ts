import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AddMemberRoleRequest, AddMemberRoleResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { changeMemberRole } from '../../members/change-member-role.ts';

export function addMemberRole(deps: Deps): Handler<AddMemberRoleRequest, AddMemberRoleResponse> {
  return async (request, call) => {
    await changeMemberRole(deps, requireAccount(call.caller), request, 'add');
    return {};
  };
}
