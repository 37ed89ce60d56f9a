import { guildPermissions, type HeldRole, Permission } from '@gatehouse/chat-client/permissions';
import type { MutableGuild, RoleSet } from './world-state.ts';

/** The role set of an account with these roles. */
export function roleSetOf<S>(guild: MutableGuild<S>, accountId: string, roleIds: readonly string[]): RoleSet {
  return roleSet(guild, guild.row.owner_id === accountId, roleIds);
}

export function roleSet<S>(guild: MutableGuild<S>, is_owner: boolean, roleIds: readonly string[]): RoleSet {
  const key = `${is_owner ? 'owner ' : ''}${roleIds.join(' ')}`;
  const found = guild.role_sets.get(key);
  if (found !== undefined) return found;
  const set = { key, role_ids: [...roleIds], is_owner, held: heldRoles(guild, roleIds), members: 0 };
  guild.role_sets.set(key, set);
  return set;
}

/** A role that is missing, or not created yet, grants nothing. */
export function heldRoles<S>(guild: MutableGuild<S>, roleIds: readonly string[]): HeldRole[] {
  return [guild.id, ...roleIds].flatMap((id) => guild.roles.get(id) ?? []);
}

/** Removes a set without members. */
export function removeIfEmpty<S>(guild: MutableGuild<S>, set: RoleSet): void {
  if (set.members > 0) return;
  if (guild.role_sets.get(set.key) === set) guild.role_sets.delete(set.key);
  for (const group of guild.viewer_groups.values()) group.views.delete(set);
}

/** Whether replacing the held roles changes no view, whatever the overwrites are. */
export function hasSameViews({ is_owner, held }: RoleSet, other: readonly HeldRole[]): boolean {
  if (held.length !== other.length) return false; // a role's overwrites apply only to its holders
  return is_owner || viewBits(held) === viewBits(other);
}

/** The bits that overwrites start from, or that bypass them. */
function viewBits(roles: readonly HeldRole[]): bigint {
  const membership = { guild_id: '', owner_id: '', account_id: NOBODY, is_member: true, roles };
  return guildPermissions(membership) & (Permission.VIEW_CHANNEL | Permission.ADMINISTRATOR);
}

/** An account that owns nothing and has no overwrites. */
export const NOBODY = 'nobody';
