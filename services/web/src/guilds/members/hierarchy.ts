import type { Member, Role } from '@gatehouse/proto/chat';
import { permissionsIn, readPermissions } from '../../shared/permissions.ts';
import type { ManagedGuild } from '../managed-guild.ts';
import { permissionsIn as permissionsInGuild } from '../tabs.ts';

/** The account that looks at the page (docs/guilds.md#role-hierarchy). */
export interface Actor {
  readonly id: string;
  readonly permissions: bigint;
  /** The position of the highest role. Infinite for the owner, who ranks above all roles. */
  readonly highest: number;
}

export function actorOf(guild: ManagedGuild, account_id: string, ownRoleIds: readonly string[]): Actor {
  return {
    id: account_id,
    permissions: permissionsInGuild(guild, account_id),
    highest: highestOf(guild, account_id, ownRoleIds),
  };
}

function highestOf(guild: ManagedGuild, account_id: string, roleIds: readonly string[]): number {
  if (guild.owner_id === account_id) return Number.POSITIVE_INFINITY;
  const positions = guild.roles.filter(({ id }) => roleIds.includes(id)).map(({ position }) => position);
  return Math.max(0, ...positions);
}

/** Why the actor may not change a member. */
export type MemberObstacle = 'owner' | 'rank' | 'self';

/** Why the actor may not remove a member, if it has the permission. Undefined if it may. */
export function removalObstacle(
  guild: ManagedGuild,
  actor: Actor,
  member: Pick<Member, 'user' | 'roles'>,
): MemberObstacle | undefined {
  return member.user?.id === actor.id ? 'self' : rankObstacle(guild, actor, member);
}

/** Why the actor may change no role of a member, if it has the permission. Its own roles it may change. */
export function rankObstacle(
  guild: ManagedGuild,
  actor: Actor,
  member: Pick<Member, 'user' | 'roles'>,
): 'owner' | 'rank' | undefined {
  const id = member.user?.id ?? '';
  if (id === actor.id) return undefined;
  if (id === guild.owner_id) return 'owner';
  return actor.highest > highestOf(guild, id, member.roles) ? undefined : 'rank';
}

/** Why the actor may not give or take a role. */
export type RoleObstacle =
  | { readonly why: 'rank' }
  | { readonly why: 'permissions'; readonly names: string[] };

/** Why the actor may not give a role, or take it if the member has it. Undefined if it may. */
export function roleObstacle(actor: Actor, role: Role, isHeld: boolean): RoleObstacle | undefined {
  if (actor.highest <= role.position) return { why: 'rank' };
  if (isHeld) return undefined;
  const lacking = (readPermissions(role.permissions) ?? 0n) & ~actor.permissions;
  if (lacking === 0n) return undefined;
  return { why: 'permissions', names: permissionsIn(lacking).map(({ description }) => description) };
}

/** The roles of a guild that can be given, the highest first: all but @everyone. */
export function givableRoles(guild: Pick<ManagedGuild, 'id' | 'roles'>): readonly Role[] {
  return guild.roles.filter(({ id }) => id !== guild.id).toReversed();
}
