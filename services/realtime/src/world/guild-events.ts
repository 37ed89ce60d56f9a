import { type Delivery, eventTo } from './delivery.ts';
import type { LogEvent } from './event.ts';
import { handlers } from './handlers.ts';
import * as payloads from './log-payloads.ts';
import { addMember, type Movement, moveMember, moveMembers, removeMember, setProfile } from './members.ts';
import { hasSameViews, heldRoles, roleSet, roleSetOf } from './role-sets.ts';
import { viewChanges } from './view-changes.ts';
import { removeIfUnused, setChannel } from './viewer-groups.ts';
import { everyoneIn } from './views.ts';
import type { FollowedAccount, MutableGuild, RoleSet, ViewerGroup, WorldState } from './world-state.ts';

/** Applies an event to its guild, and returns its deliveries. */
export type GuildHandler = <S>(
  guild: MutableGuild<S>,
  event: LogEvent,
  state: WorldState<S>,
) => readonly Delivery<S>[];

/** Events about the guild as a whole. */
export const GUILD_EVENTS = handlers<GuildHandler>({
  GUILD_UPDATE: updateGuild,
  GUILD_DELETE: (guild, _event, state) => {
    const receivers = everyoneIn(guild);
    deleteGuild(state, guild);
    return eventTo(receivers);
  },
  GUILD_ROLE_CREATE: putRole,
  GUILD_ROLE_UPDATE: putRole,
  GUILD_ROLE_DELETE: deleteRole,
  GUILD_MEMBER_ADD: (guild, { payload }, state) => {
    const row = payloads.memberRowOf(payload);
    if (row === undefined) return [];
    setMemberCount(guild, payload);
    const account = state.accounts.get(row.account_id);
    if (account !== undefined) {
      removeMember(guild, account); // the loaded state may already have the member
      addMember(guild, account, row);
    }
    return eventTo(others(guild, row.account_id)); // the new member receives GUILD_CREATE
  },
  GUILD_MEMBER_UPDATE: updateMember,
  GUILD_MEMBER_REMOVE: (guild, { payload }, state) => {
    const accountId = payloads.textOf(payload, 'account_id');
    if (accountId === undefined) return [];
    setMemberCount(guild, payload);
    leaveGuild(state, guild, accountId); // the former member receives GUILD_DELETE
    return eventTo(everyoneIn(guild));
  },
  WEBHOOKS_UPDATE: (guild) => eventTo(everyoneIn(guild)),
});

/** A guild without followed accounts leaves the world. */
export function leaveGuild<S>(state: WorldState<S>, guild: MutableGuild<S>, accountId: string): void {
  const account = state.accounts.get(accountId);
  if (account !== undefined) removeMember(guild, account);
  if (guild.members.size === 0 && !state.keepEmptyGuilds) deleteGuild(state, guild);
}

function deleteGuild<S>(state: WorldState<S>, guild: MutableGuild<S>): void {
  state.guilds.delete(guild.id);
  for (const id of guild.members.keys()) state.accounts.get(id)?.guilds.delete(guild);
}

function updateGuild<S>(guild: MutableGuild<S>, { payload }: LogEvent): readonly Delivery<S>[] {
  const row = payloads.guildOf(payload);
  if (row === undefined) return [];
  const owners = new Set([guild.row.owner_id, row.owner_id]);
  guild.row = row;
  const movements = owners.size === 1 ? [] : [...owners].flatMap((id) => moveToRoleSet(guild, id));
  return [...eventTo(everyoneIn(guild)), ...viewChanges(guild, movements)];
}

/** Moves the member to its current role set, with other roles if they are given. */
function moveToRoleSet<S>(
  guild: MutableGuild<S>,
  accountId: string,
  roleIds: readonly string[] | undefined = guild.members.get(accountId)?.role_set.role_ids,
): readonly Movement<S>[] {
  const member = guild.members.get(accountId);
  if (member === undefined || roleIds === undefined) return [];
  const after = roleSetOf(guild, accountId, roleIds);
  return after === member.role_set ? [] : [moveMember(member, after)];
}

function putRole<S>(guild: MutableGuild<S>, { payload }: LogEvent): readonly Delivery<S>[] {
  const role = payloads.roleOf(payload);
  if (role === undefined) return [];
  guild.roles.set(role.id, role);
  const changed = new Map<RoleSet, RoleSet>();
  for (const set of guild.role_sets.values()) {
    if (role.id !== guild.id && !set.role_ids.includes(role.id)) continue;
    const held = heldRoles(guild, set.role_ids);
    if (hasSameViews(set, held)) set.held = held;
    else changed.set(set, { ...set, held, members: 0 });
  }
  for (const after of changed.values()) guild.role_sets.set(after.key, after);
  const movements = moveMembers(guild, changed);
  return [...eventTo(everyoneIn(guild)), ...viewChanges(guild, movements)];
}

/** Removes the role from its holders and from overwrites. Besides the event, only changes of views are delivered. */
function deleteRole<S>(guild: MutableGuild<S>, { payload }: LogEvent): readonly Delivery<S>[] {
  const roleId = payloads.textOf(payload, 'role_id');
  if (roleId === undefined || roleId === guild.id) return [];
  guild.roles.delete(roleId);
  const viewer_groups = deleteOverwrites(guild, roleId);
  const changed = new Map<RoleSet, RoleSet>();
  for (const set of [...guild.role_sets.values()]) {
    if (!set.role_ids.includes(roleId)) continue;
    const left = set.role_ids.filter((id) => id !== roleId);
    changed.set(set, roleSet(guild, set.is_owner, left));
  }
  const changes = viewChanges(guild, moveMembers(guild, changed), viewer_groups);
  for (const group of viewer_groups.values()) removeIfUnused(guild, group);
  return [...eventTo(everyoneIn(guild)), ...changes];
}

/** Returns the former viewer groups of the channels whose group changes. */
function deleteOverwrites<S>(guild: MutableGuild<S>, roleId: string): ReadonlyMap<string, ViewerGroup<S>> {
  const before = new Map<string, ViewerGroup<S>>();
  for (const channel of [...guild.channels.values()]) {
    const rest = channel.permission_overwrites.filter(({ id, type }) => type === 1 || id !== roleId);
    if (rest.length === channel.permission_overwrites.length) continue;
    const group = guild.viewer_group_by_channel.get(channel.id);
    if (group !== undefined) before.set(channel.id, group);
    setChannel(guild, { ...channel, permission_overwrites: rest });
  }
  return before;
}

function updateMember<S>(guild: MutableGuild<S>, { payload }: LogEvent): readonly Delivery<S>[] {
  const row = payloads.memberRowOf(payload);
  if (row === undefined) return [];
  const member = guild.members.get(row.account_id);
  if (member !== undefined) setProfile(member, row);
  const movements = moveToRoleSet(guild, row.account_id, row.role_ids);
  return [...eventTo(everyoneIn(guild)), ...viewChanges(guild, movements)];
}

function setMemberCount<S>(guild: MutableGuild<S>, payload: unknown): void {
  const member_count = payloads.memberCountOf(payload);
  if (member_count !== undefined) guild.row = { ...guild.row, member_count };
}

function others<S>(guild: MutableGuild<S>, accountId: string): readonly FollowedAccount<S>[] {
  return everyoneIn(guild).filter(({ id }) => id !== accountId);
}
