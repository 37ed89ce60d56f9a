import { Permission } from '@gatehouse/chat-client/permissions';
import type { AddMemberRoleRequest } from '@gatehouse/proto/chat';
import { readReason } from '../audit-log/reason.ts';
import type { Deps } from '../deps.ts';
import { memberUpdated } from '../events/event.ts';
import { requireGuildPermission } from '../guilds/access.ts';
import { changeGuild } from '../guilds/change-guild.ts';
import { requireMember, requireMembership } from '../guilds/require-member.ts';
import { insertEvents } from '../store/events/events.ts';
import { changeRoles, requireRoleChanges, requireRoles } from './role-changes.ts';

/**
 * Adds or removes one role of a member.
 *
 * @throws MISSING_PERMISSIONS, UNKNOWN_MEMBER, UNKNOWN_ROLE
 */
export function changeMemberRole(
  deps: Deps,
  accountId: string,
  request: AddMemberRoleRequest,
  change: 'add' | 'remove',
): Promise<void> {
  const { guild_id, user_id, role_id } = request;
  const reason = readReason(request.reason);
  return changeGuild(deps, guild_id, accountId, async (tx, actor) => {
    requireGuildPermission(actor, Permission.MANAGE_ROLES);
    const target = await requireMembership(tx, guild_id, user_id);
    const roles = await requireRoles(tx, guild_id, [role_id]);
    const changes = change === 'add' ? { added: roles, removed: [] } : { added: [], removed: roles };
    requireRoleChanges(actor, target, changes);
    const has = target.roles.some(({ id }) => id === role_id);
    if (has === (change === 'add')) return;
    await changeRoles(tx, deps, { actor, target, reason }, changes);
    await insertEvents(tx, [memberUpdated(guild_id, await requireMember(tx, guild_id, user_id))]);
  });
}
