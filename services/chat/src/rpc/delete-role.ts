import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteRoleRequest, DeleteRoleResponse } from '@gatehouse/proto/chat';
import { AuditAction, changesBetween } from '../audit-log/entry.ts';
import { readReason } from '../audit-log/reason.ts';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { roleDeleted } from '../events/event.ts';
import { requireGuildPermission } from '../guilds/access.ts';
import { changeGuild } from '../guilds/change-guild.ts';
import { Permission } from '../guilds/permissions.ts';
import { ROLE_KEYS, requireRoleBelow } from '../roles/role-rules.ts';
import { insertAuditEntry } from '../store/audit-log.ts';
import { insertEvents } from '../store/events.ts';
import { deleteRoleRow } from '../store/roles.ts';

export function deleteRole(deps: Deps): Handler<DeleteRoleRequest, DeleteRoleResponse> {
  return async ({ guild_id, role_id, ...request }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      requireGuildPermission(actor, Permission.MANAGE_ROLES);
      const role = await requireRoleBelow(tx, actor, role_id);
      if (role_id === guild_id) throw badRequest('The role @everyone cannot be deleted.');

      await deleteRoleRow(tx, guild_id, role_id);
      await insertAuditEntry(tx, deps.ids(), {
        guild_id,
        action_type: AuditAction.ROLE_DELETE,
        user_id: account_id,
        target_id: role_id,
        reason,
        changes: changesBetween(role, undefined, ROLE_KEYS),
      });
      await insertEvents(tx, [roleDeleted(guild_id, role_id)]);
    });
    return {};
  };
}
