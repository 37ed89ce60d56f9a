import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteRoleRequest, DeleteRoleResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { roleDeleted } from '../../events/event.ts';
import { requireGuildPermission } from '../../guilds/access.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { roleEntries } from '../../roles/role-audit.ts';
import { requireRoleBelow } from '../../roles/role-rules.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';
import { insertEvents } from '../../store/events/events.ts';
import { deleteRoleRow } from '../../store/roles.ts';

export function deleteRole(deps: Deps): Handler<DeleteRoleRequest, DeleteRoleResponse> {
  return async ({ guild_id, role_id, ...request }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      requireGuildPermission(actor, Permission.MANAGE_ROLES);
      const role = await requireRoleBelow(tx, actor, role_id);
      if (role_id === guild_id) throw badRequest('The role @everyone cannot be deleted.');

      await deleteRoleRow(tx, guild_id, role_id);
      const entries = roleEntries(role, undefined, { guild_id, user_id: account_id, reason });
      await insertAuditEntries(tx, deps.ids, entries);
      await insertEvents(tx, [roleDeleted(guild_id, role_id)]);
    });
    return {};
  };
}
