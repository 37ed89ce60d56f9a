import { guildPermissions, type Membership, Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateRoleRequest, CreateRoleResponse, Role } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { roleCreated, roleUpdated } from '../../events/event.ts';
import { requireGuildPermission } from '../../guilds/access.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { roleEntries } from '../../roles/role-audit.ts';
import { type RoleFields, readRoleFields } from '../../roles/role-form.ts';
import { enforceRoleLimit, requireGrantable } from '../../roles/role-rules.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';
import { insertEvents } from '../../store/events/events.ts';
import { insertRole, moveRolesUp } from '../../store/roles.ts';

/** The lowest position above @everyone. */
const POSITION = 1;

export function createRole(deps: Deps): Handler<CreateRoleRequest, CreateRoleResponse> {
  return async ({ guild_id, ...request }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    const fields = readRoleFields(request);
    const role = await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      requireGuildPermission(actor, Permission.MANAGE_ROLES);
      const created = newRole(deps.ids(), fields, actor);
      requireGrantable(actor, BigInt(created.permissions));
      await enforceRoleLimit(tx, guild_id);

      const moved = await moveRolesUp(tx, guild_id, POSITION);
      await insertRole(tx, guild_id, created);
      const entries = roleEntries(undefined, created, { guild_id, user_id: account_id, reason });
      await insertAuditEntries(tx, deps.ids, entries);
      const events = [...moved.map((other) => roleUpdated(guild_id, other)), roleCreated(guild_id, created)];
      await insertEvents(tx, events);
      return created;
    });
    return { role };
  };
}

/** The default permissions are those of @everyone that the actor has. */
function newRole(id: string, fields: Partial<RoleFields>, actor: Membership): Role {
  const everyone = actor.roles.find((role) => role.id === actor.guild_id)?.permissions ?? '0';
  return {
    id,
    name: 'new role',
    color: 0,
    position: POSITION,
    hoist: false,
    mentionable: false,
    permissions: String(BigInt(everyone) & guildPermissions(actor)),
    ...fields,
  };
}
