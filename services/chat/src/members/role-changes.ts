import { guildPermissions, type Membership } from '@gatehouse/chat-client/permissions';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { badRequest, unknownRole } from '../errors.ts';
import { requirePermission } from '../guilds/access.ts';
import { requireAboveMember, requireAboveRole } from '../guilds/hierarchy.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import { type AuditChange, insertAuditEntries } from '../store/audit-log/audit-log.ts';
import {
  deleteMemberRoles,
  findRolesById,
  insertMemberRoles,
  type NamedRole,
} from '../store/members/member-roles.ts';

/** Roles to add to a member, and to remove from it. */
export interface RoleChanges {
  readonly added: readonly NamedRole[];
  readonly removed: readonly NamedRole[];
}

/**
 * Reads the roles with these IDs.
 *
 * @throws UNKNOWN_ROLE; BAD_REQUEST for @everyone, which cannot be added or removed
 */
export async function requireRoles(
  tx: PoolClient,
  guildId: string,
  roleIds: readonly string[],
): Promise<NamedRole[]> {
  if (roleIds.includes(guildId)) throw badRequest('Every member has the role @everyone.');
  const wanted = [...new Set(roleIds)];
  const roles = await findRolesById(tx, guildId, wanted);
  if (roles.length < wanted.length) throw unknownRole();
  return roles;
}

/** @throws MISSING_PERMISSIONS unless the actor may make these changes to the member's roles */
export function requireRoleChanges(
  actor: Membership,
  target: Membership,
  { added, removed }: RoleChanges,
): void {
  if (actor.account_id !== target.account_id) requireAboveMember(actor, target);
  for (const role of [...added, ...removed]) requireAboveRole(actor, role);
  const granted = added.reduce((bits, { permissions }) => bits | BigInt(permissions), 0n);
  requirePermission(guildPermissions(actor), granted);
}

/** Adds and removes roles after the checks, with an audit log entry. */
export async function changeRoles(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  { actor, target, reason }: { actor: Membership; target: Membership; reason: string | null },
  { added, removed }: RoleChanges,
): Promise<void> {
  const { guild_id, account_id } = target;
  if (added.length > 0) await insertMemberRoles(tx, guild_id, account_id, added.map(idOf));
  if (removed.length > 0) await deleteMemberRoles(tx, guild_id, account_id, removed.map(idOf));
  await insertAuditEntries(tx, ids, [
    {
      guild_id,
      action_type: AuditAction.MEMBER_ROLE_UPDATE,
      user_id: actor.account_id,
      target_id: account_id,
      reason,
      changes: [...roleChange('$add', added), ...roleChange('$remove', removed)],
    },
  ]);
}

function roleChange(key: string, roles: readonly NamedRole[]): AuditChange[] {
  return roles.length === 0 ? [] : [{ key, new_value: roles.map(({ id, name }) => ({ id, name })) }];
}

function idOf({ id }: NamedRole): string {
  return id;
}
