import { endIfUnused, setChannel } from './audiences.ts';
import { type Delivery, eventTo } from './delivery.ts';
import type { LogEvent } from './event.ts';
import { handlers } from './handlers.ts';
import { addMember, type Movement, moveMember, moveMembers, removeMember, setProfile } from './members.ts';
import * as payloads from './payloads.ts';
import type { AccountPlace, Audience, OpenGuild, Places, RoleSet } from './places.ts';
import { heldRoles, roleSet, roleSetOf, viewsAlike } from './role-sets.ts';
import { viewChanges } from './view-changes.ts';
import { everyoneIn } from './views.ts';

/** What an event does to the guild it is about, and who is told. */
export type GuildHandler = <S>(
  guild: OpenGuild<S>,
  event: LogEvent,
  places: Places<S>,
) => readonly Delivery<S>[];

/** Those whose event concerns the guild as a whole. */
export const GUILD_EVENTS = handlers<GuildHandler>({
  GUILD_UPDATE: updateGuild,
  GUILD_DELETE: (guild, _event, places) => {
    const told = everyoneIn(guild);
    deleteGuild(places, guild);
    return eventTo(told);
  },
  GUILD_ROLE_CREATE: putRole,
  GUILD_ROLE_UPDATE: putRole,
  GUILD_ROLE_DELETE: deleteRole,
  GUILD_MEMBER_ADD: (guild, { payload }, places) => {
    const row = payloads.memberRowOf(payload);
    if (row === undefined) return [];
    setMemberCount(guild, payload);
    const account = places.accounts.get(row.account_id);
    if (account !== undefined) {
      removeMember(guild, account); // of a state that knew it already
      addMember(guild, account, row);
    }
    return eventTo(others(guild, row.account_id)); // who joins is told by GUILD_CREATE
  },
  GUILD_MEMBER_UPDATE: updateMember,
  GUILD_MEMBER_REMOVE: (guild, { payload }, places) => {
    const accountId = payloads.textOf(payload, 'account_id');
    if (accountId === undefined) return [];
    setMemberCount(guild, payload);
    leaveGuild(places, guild, accountId); // who leaves is told by GUILD_DELETE
    return eventTo(everyoneIn(guild));
  },
  WEBHOOKS_UPDATE: (guild) => eventTo(everyoneIn(guild)),
});

/** Without followed accounts a guild is of no interest. */
export function leaveGuild<S>(places: Places<S>, guild: OpenGuild<S>, accountId: string): void {
  const account = places.accounts.get(accountId);
  if (account !== undefined) removeMember(guild, account);
  if (guild.members.size === 0 && !places.keepsEmpty) deleteGuild(places, guild);
}

function deleteGuild<S>(places: Places<S>, guild: OpenGuild<S>): void {
  places.guilds.delete(guild.id);
  for (const id of guild.members.keys()) places.accounts.get(id)?.guilds.delete(guild);
}

function updateGuild<S>(guild: OpenGuild<S>, { payload }: LogEvent): readonly Delivery<S>[] {
  const row = payloads.guildOf(payload);
  if (row === undefined) return [];
  const owners = new Set([guild.row.owner_id, row.owner_id]);
  guild.row = row;
  const movements = owners.size === 1 ? [] : [...owners].flatMap((id) => moved(guild, id));
  return [...eventTo(everyoneIn(guild)), ...viewChanges(guild, movements)];
}

/** The member goes to the set where it belongs now, with the roles that it has unless others are given. */
function moved<S>(
  guild: OpenGuild<S>,
  accountId: string,
  roleIds: readonly string[] | undefined = guild.members.get(accountId)?.role_set.role_ids,
): readonly Movement<S>[] {
  const member = guild.members.get(accountId);
  if (member === undefined || roleIds === undefined) return [];
  const after = roleSetOf(guild, accountId, roleIds);
  return after === member.role_set ? [] : [moveMember(member, after)];
}

function putRole<S>(guild: OpenGuild<S>, { payload }: LogEvent): readonly Delivery<S>[] {
  const role = payloads.roleOf(payload);
  if (role === undefined) return [];
  guild.roles.set(role.id, role);
  const changed = new Map<RoleSet, RoleSet>();
  for (const set of guild.role_sets.values()) {
    if (role.id !== guild.id && !set.role_ids.includes(role.id)) continue;
    const held = heldRoles(guild, set.role_ids);
    if (viewsAlike(set, held)) set.held = held;
    else changed.set(set, { ...set, held, members: 0 });
  }
  for (const after of changed.values()) guild.role_sets.set(after.key, after);
  const movements = moveMembers(guild, changed);
  return [...eventTo(everyoneIn(guild)), ...viewChanges(guild, movements)];
}

/** Holders and overwrites end with the role, and nothing more is told of them than the views that change. */
function deleteRole<S>(guild: OpenGuild<S>, { payload }: LogEvent): readonly Delivery<S>[] {
  const roleId = payloads.textOf(payload, 'role_id');
  if (roleId === undefined || roleId === guild.id) return [];
  guild.roles.delete(roleId);
  const audiences = deleteOverwrites(guild, roleId);
  const changed = new Map<RoleSet, RoleSet>();
  for (const set of [...guild.role_sets.values()]) {
    if (!set.role_ids.includes(roleId)) continue;
    const left = set.role_ids.filter((id) => id !== roleId);
    changed.set(set, roleSet(guild, set.is_owner, left));
  }
  const changes = viewChanges(guild, moveMembers(guild, changed), audiences);
  for (const audience of audiences.values()) endIfUnused(guild, audience);
  return [...eventTo(everyoneIn(guild)), ...changes];
}

/** The audiences that channels had before, where it has become another. */
function deleteOverwrites<S>(guild: OpenGuild<S>, roleId: string): ReadonlyMap<string, Audience<S>> {
  const before = new Map<string, Audience<S>>();
  for (const channel of [...guild.channels.values()]) {
    const rest = channel.permission_overwrites.filter(({ id, type }) => type === 1 || id !== roleId);
    if (rest.length === channel.permission_overwrites.length) continue;
    const audience = guild.audience_of.get(channel.id);
    if (audience !== undefined) before.set(channel.id, audience);
    setChannel(guild, { ...channel, permission_overwrites: rest });
  }
  return before;
}

function updateMember<S>(guild: OpenGuild<S>, { payload }: LogEvent): readonly Delivery<S>[] {
  const row = payloads.memberRowOf(payload);
  if (row === undefined) return [];
  const member = guild.members.get(row.account_id);
  if (member !== undefined) setProfile(member, row);
  const movements = moved(guild, row.account_id, row.role_ids);
  return [...eventTo(everyoneIn(guild)), ...viewChanges(guild, movements)];
}

function setMemberCount<S>(guild: OpenGuild<S>, payload: unknown): void {
  const member_count = payloads.memberCountOf(payload);
  if (member_count !== undefined) guild.row = { ...guild.row, member_count };
}

function others<S>(guild: OpenGuild<S>, accountId: string): readonly AccountPlace<S>[] {
  return everyoneIn(guild).filter(({ id }) => id !== accountId);
}
