import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateRoleRequest, UpdateRoleResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { roleUpdated } from '../../events/event.ts';
import { requireGuildPermission } from '../../guilds/access.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { roleEntries } from '../../roles/role-audit.ts';
import { readRoleFields } from '../../roles/role-form.ts';
import { requireGrantable, requireRoleBelow } from '../../roles/role-rules.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';
import { insertEvents } from '../../store/events/events.ts';
import { updateRoleFields } from '../../store/roles.ts';

export function updateRole(deps: Deps): Handler<UpdateRoleRequest, UpdateRoleResponse> {
  return async ({ guild_id, role_id, ...request }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    const fields = readRoleFields(request);
    const role = await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      requireGuildPermission(actor, Permission.MANAGE_ROLES);
      const before = await requireRoleBelow(tx, actor, role_id);
      const after = { ...before, ...fields };
      requireGrantable(actor, BigInt(after.permissions) & ~BigInt(before.permissions));
      if (role_id === guild_id && after.name !== before.name)
        throw badRequest('The role @everyone cannot have another name.');

      const entries = roleEntries(before, after, { guild_id, user_id: account_id, reason });
      if (entries.length === 0) return before;
      await updateRoleFields(tx, after);
      await insertAuditEntries(tx, deps.ids, entries);
      await insertEvents(tx, [roleUpdated(guild_id, after)]);
      return after;
    });
    return { role };
  };
}
