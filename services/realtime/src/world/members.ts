import type { MemberRow } from '@gatehouse/chat-client/rows';
import { removeIfEmpty, roleSetOf } from './role-sets.ts';
import { canView } from './views.ts';
import type {
  FollowedAccount,
  FollowedGuild,
  FollowedMember,
  MemberProfile,
  MutableAccount,
  MutableGuild,
  RoleSet,
} from './world-state.ts';

/** The row of a followed account's member. */
export function memberRowIn(guild: FollowedGuild, account_id: string): MemberRow | undefined {
  const member = guild.members.get(account_id);
  if (member === undefined) return undefined;
  const { profile, role_set, joined_at } = member;
  return { account_id: member.account.id, ...profile, role_ids: role_set.role_ids, joined_at };
}

/** Adds a followed account to a guild that it is not in. */
export function addMember<S>(guild: MutableGuild<S>, account: MutableAccount<S>, row: MemberRow): void {
  const role_set = roleSetOf(guild, account.id, row.role_ids);
  role_set.members++;
  const member = { account, role_set, profile: profileOf(row), joined_at: row.joined_at };
  guild.members.set(account.id, member);
  account.guilds.add(guild);
  guild.everyone = undefined;
  dropViewers(guild, member);
}

export function removeMember<S>(guild: MutableGuild<S>, account: MutableAccount<S>): void {
  const member = guild.members.get(account.id);
  account.guilds.delete(guild);
  if (member === undefined) return;
  dropViewers(guild, member);
  guild.everyone = undefined;
  guild.members.delete(account.id);
  member.role_set.members--;
  removeIfEmpty(guild, member.role_set);
}

export function setProfile(member: FollowedMember, row: MemberRow): void {
  member.profile = profileOf(row);
  member.joined_at = row.joined_at;
}

/** Members that moved from one role set to another. */
export interface Movement<S> {
  readonly before: RoleSet;
  readonly after: RoleSet;
  readonly accounts: Set<FollowedAccount<S>>;
}

/** Viewer groups keep the former sets until `removeIfEmpty`. */
export function moveMembers<S>(
  guild: MutableGuild<S>,
  changed: ReadonlyMap<RoleSet, RoleSet>,
): readonly Movement<S>[] {
  if (changed.size === 0) return [];
  const movements = new Map<RoleSet, Movement<S>>();
  for (const [before, after] of changed) movements.set(before, { before, after, accounts: new Set() });
  for (const member of guild.members.values()) {
    const movement = movements.get(member.role_set);
    if (movement === undefined) continue;
    movement.accounts.add(member.account);
    moveMember(member, movement.after);
  }
  return [...movements.values()];
}

export function moveMember<S>(member: FollowedMember<S>, after: RoleSet): Movement<S> {
  const before = member.role_set;
  before.members--;
  after.members++;
  member.role_set = after;
  return { before, after, accounts: new Set([member.account]) };
}

/** Drops the cached viewers of the channels that the member can view. */
function dropViewers<S>(guild: MutableGuild<S>, member: FollowedMember<S>): void {
  for (const group of guild.viewer_groups.values())
    if (group.viewers !== undefined && canView(guild, group, member)) group.viewers = undefined;
}

/** Most members have no profile in the guild. They share one object. */
function profileOf({ nick, avatar, banner, bio, pronouns, accent_color }: MemberRow): MemberProfile {
  const profile = { nick, avatar, banner, bio, pronouns, accent_color };
  return Object.values(profile).every((value) => value === null) ? NO_PROFILE : profile;
}

const NO_PROFILE: MemberProfile = {
  nick: null,
  avatar: null,
  banner: null,
  bio: null,
  pronouns: null,
  accent_color: null,
};
