import { holds, type Overwrite, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { byPosition } from './order.ts';
import { NOBODY } from './role-sets.ts';
import type {
  FollowedAccount,
  FollowedGuild,
  FollowedMember,
  MutableGuild,
  RoleSet,
  ViewerGroup,
} from './world-state.ts';

/** The guild's channels that an account can view, in REST's order. */
export function channelsVisibleTo<S>(guild: FollowedGuild<S>, account_id: string): readonly ChannelRow[] {
  const member = guild.members.get(account_id);
  if (member === undefined) return [];
  const visible = [...guild.channels.values()].filter(({ id }) => {
    const group = guild.viewer_group_by_channel.get(id);
    return group !== undefined && canView(guild, group, member);
  });
  return visible.sort(byPosition);
}

/** The accounts that can view a channel, cached until something changes. */
export function viewersOf<S>(guild: FollowedGuild<S>, group: ViewerGroup<S>): readonly FollowedAccount<S>[] {
  group.viewers ??= accountsOf(guild, (member) => canView(guild, group, member));
  return group.viewers;
}

/** The accounts with MANAGE_CHANNELS in a channel. Not cached, since only events of invites need them. */
export function managersOf<S>(
  guild: FollowedGuild<S>,
  { permission_overwrites: overwrites }: ChannelRow,
): readonly FollowedAccount<S>[] {
  const memberOverwriteIds = new Set(overwrites.filter(({ type }) => type === 1).map(({ id }) => id));
  const manages = new Map<RoleSet, boolean>();
  return accountsOf(guild, ({ account, role_set }) => {
    if (memberOverwriteIds.has(account.id))
      return hasPermission(guild, overwrites, role_set, account.id, Permission.MANAGE_CHANNELS);
    const known = manages.get(role_set);
    if (known !== undefined) return known;
    const found = hasPermission(guild, overwrites, role_set, NOBODY, Permission.MANAGE_CHANNELS);
    manages.set(role_set, found);
    return found;
  });
}

/** All followed accounts in the guild, cached until one joins or leaves. */
export function everyoneIn<S>(guild: MutableGuild<S>): readonly FollowedAccount<S>[] {
  guild.everyone ??= accountsOf(guild, () => true);
  return guild.everyone;
}

export function canView<S>(
  guild: FollowedGuild<S>,
  group: ViewerGroup<S>,
  { account, role_set }: FollowedMember<S>,
): boolean {
  return group.member_overwrite_ids.has(account.id)
    ? canViewByMemberOverwrite(guild, group, role_set, account.id)
    : canRoleSetView(guild, group, role_set);
}

/** For an account with a member overwrite. */
export function canViewByMemberOverwrite<S>(
  guild: FollowedGuild<S>,
  { overwrites }: ViewerGroup<S>,
  roleSet: RoleSet,
  accountId: string,
): boolean {
  return hasPermission(guild, overwrites, roleSet, accountId, Permission.VIEW_CHANNEL);
}

/** For all accounts of a role set without member overwrites. */
export function canRoleSetView<S>(
  guild: FollowedGuild<S>,
  { views, overwrites }: ViewerGroup<S>,
  roleSet: RoleSet,
): boolean {
  const known = views.get(roleSet);
  if (known !== undefined) return known;
  const found = hasPermission(guild, overwrites, roleSet, NOBODY, Permission.VIEW_CHANNEL);
  views.set(roleSet, found);
  return found;
}

function hasPermission<S>(
  { id: guild_id, permissionCheck }: FollowedGuild<S>,
  overwrites: readonly Overwrite[],
  { is_owner, held: roles }: RoleSet,
  account_id: string,
  wanted: bigint,
): boolean {
  const owner_id = is_owner ? account_id : '';
  return holds(
    permissionCheck({ guild_id, owner_id, account_id, is_member: true, roles }, overwrites),
    wanted,
  );
}

function accountsOf<S>(
  guild: FollowedGuild<S>,
  matches: (member: FollowedMember<S>) => boolean,
): readonly FollowedAccount<S>[] {
  const accounts: FollowedAccount<S>[] = [];
  for (const member of guild.members.values()) if (matches(member)) accounts.push(member.account);
  return accounts;
}
