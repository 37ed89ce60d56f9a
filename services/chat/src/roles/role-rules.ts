import { guildPermissions, type Membership } from '@gatehouse/chat-client/permissions';
import type { Role } from '@gatehouse/proto/chat';
import type { PoolClient } from 'pg';
import { badRequest, unknownRole } from '../errors.ts';
import { requirePermission } from '../guilds/access.ts';
import { requireAboveRole } from '../guilds/hierarchy.ts';
import { countRoles, findRole } from '../store/roles.ts';

/** Maximum roles of a guild, including @everyone (docs/guilds.md#limits). */
export const MAX_ROLES = 250;

/**
 * Returns a role that the actor may change.
 *
 * @throws UNKNOWN_ROLE; MISSING_PERMISSIONS if it is not below the actor's highest role
 */
export async function requireRoleBelow(tx: PoolClient, actor: Membership, roleId: string): Promise<Role> {
  const role = await findRole(tx, actor.guild_id, roleId);
  if (role === undefined) throw unknownRole();
  requireAboveRole(actor, role);
  return role;
}

/**
 * Members can grant only permissions that they have.
 *
 * @throws MISSING_PERMISSIONS
 */
export function requireGrantable(actor: Membership, bits: bigint): void {
  requirePermission(guildPermissions(actor), bits);
}

/** @throws BAD_REQUEST if the guild, which the transaction has locked, is at its role limit */
export async function enforceRoleLimit(tx: PoolClient, guildId: string): Promise<void> {
  if ((await countRoles(tx, guildId)) >= MAX_ROLES)
    throw badRequest(`The guild has ${MAX_ROLES} roles, which is the most.`);
}
