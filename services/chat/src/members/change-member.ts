import { type Membership, Permission } from '@gatehouse/chat-client/permissions';
import type { MemberRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { memberUpdated } from '../events/event.ts';
import { requireGuildPermission } from '../guilds/access.ts';
import { requireAboveMember } from '../guilds/hierarchy.ts';
import { requireMember, requireMembership } from '../guilds/require-member.ts';
import { insertEvents } from '../store/events/events.ts';
import { findRolesById } from '../store/members/member-roles.ts';
import { changeProfile } from './change-profile.ts';
import type { MemberPatch } from './profile-form.ts';
import { changeRoles, type RoleChanges, requireRoleChanges, requireRoles } from './role-changes.ts';

/** Changes a member of a locked guild. All checks come before the first change. */
export async function changeMember(
  tx: PoolClient,
  deps: Deps,
  { actor, user_id, reason }: { actor: Membership; user_id: string; reason: string | null },
  { nick, role_ids }: MemberPatch,
): Promise<MemberRow> {
  const { guild_id } = actor;
  const isOther = actor.account_id !== user_id;
  if (nick !== undefined) {
    requireGuildPermission(actor, isOther ? Permission.MANAGE_NICKNAMES : Permission.CHANGE_NICKNAME);
  }
  if (role_ids !== undefined) requireGuildPermission(actor, Permission.MANAGE_ROLES);
  const target = await requireMembership(tx, guild_id, user_id);
  const changes = role_ids && (await roleChanges(tx, target, role_ids));
  if (nick !== undefined && isOther) requireAboveMember(actor, target);
  if (changes !== undefined) requireRoleChanges(actor, target, changes);

  const before = await requireMember(tx, guild_id, user_id);
  const by = { guild_id, user_id: actor.account_id, reason };
  const renamed = await changeProfile(tx, deps, by, before, { nick });
  const rolesChanged = changes !== undefined && changes.added.length + changes.removed.length > 0;
  if (rolesChanged) await changeRoles(tx, deps, { actor, target, reason }, changes);
  if (!renamed && !rolesChanged) return before;
  const member = await requireMember(tx, guild_id, user_id);
  await insertEvents(tx, [memberUpdated(guild_id, member)]);
  return member;
}

async function roleChanges(
  tx: PoolClient,
  target: Membership,
  role_ids: readonly string[],
): Promise<RoleChanges> {
  const { guild_id } = target;
  const wanted = await requireRoles(tx, guild_id, role_ids);
  const held = target.roles.map(({ id }) => id).filter((id) => id !== guild_id);
  const lost = held.filter((id) => !role_ids.includes(id));
  return {
    added: wanted.filter(({ id }) => !held.includes(id)),
    removed: lost.length === 0 ? [] : await findRolesById(tx, guild_id, lost),
  };
}
