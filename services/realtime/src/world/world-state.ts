import type { HeldRole, Overwrite } from '@gatehouse/chat-client/permissions';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';

/** An account with sessions on this replica. */
export interface FollowedAccount<S = unknown> {
  readonly id: string;
  readonly sessions: Set<S>;
  /** The guilds that the account is in. */
  readonly guilds: ReadonlySet<FollowedGuild<S>>;
  /** The private channels that it has open, unordered (privateChannelsOf). */
  readonly private_channels: ReadonlyMap<string, ChannelRow>;
}

/** A guild with followed accounts. Only the world changes it. */
export interface FollowedGuild<S = unknown> {
  readonly id: string;
  readonly row: GuildRow;
  /** Unordered (rolesOf). */
  readonly roles: ReadonlyMap<string, Role>;
  /** All channels, unordered. */
  readonly channels: ReadonlyMap<string, ChannelRow>;
  /** The members of followed accounts (memberRowIn). */
  readonly members: ReadonlyMap<string, FollowedMember<S>>;
  readonly viewer_group_by_channel: ReadonlyMap<string, ViewerGroup<S>>;
  readonly permissionCheck: PermissionCheck;
}

/** A member in memory. There is one for each followed account in each guild, so it is small. */
export interface FollowedMember<S = unknown> {
  readonly account: FollowedAccount<S>;
  role_set: RoleSet;
  profile: MemberProfile;
  joined_at: string;
}

export type MemberProfile = Omit<MemberRow, 'account_id' | 'role_ids' | 'joined_at'>;

/** The members with the same roles: their permissions are computed once. */
export interface RoleSet {
  readonly key: string;
  /** Without @everyone. */
  readonly role_ids: readonly string[];
  /** The owner has all permissions, so it is alone in a set. */
  readonly is_owner: boolean;
  /** The current roles, including @everyone. */
  held: readonly HeldRole[];
  /** The number of followed members in the set. */
  members: number;
}

/** The viewers of channels: channels with the same overwrites of VIEW_CHANNEL share a group. */
export interface ViewerGroup<S = unknown> {
  readonly key: string;
  /** The overwrites that allow or deny VIEW_CHANNEL. */
  readonly overwrites: readonly Overwrite[];
  /** The IDs of accounts with a member overwrite among them, which overrides those of roles. */
  readonly member_overwrite_ids: ReadonlySet<string>;
  /** Cached: whether members of a role set can view. */
  readonly views: Map<RoleSet, boolean>;
  /** The number of channels in the group. */
  channels: number;
  /** Cached; undefined until it is needed. */
  viewers: readonly FollowedAccount<S>[] | undefined;
}

/** The type of channelPermissions. A test counts its calls. */
export type PermissionCheck = typeof import('@gatehouse/chat-client/permissions').channelPermissions;

/** A followed account, mutable for the world. */
export interface MutableAccount<S> extends FollowedAccount<S> {
  readonly guilds: Set<MutableGuild<S>>;
  readonly private_channels: Map<string, ChannelRow>;
}

/** A followed guild, mutable for the world. */
export interface MutableGuild<S> extends FollowedGuild<S> {
  row: GuildRow;
  readonly roles: Map<string, Role>;
  readonly channels: Map<string, ChannelRow>;
  readonly members: Map<string, FollowedMember<S>>;
  /** By key. */
  readonly role_sets: Map<string, RoleSet>;
  /** By key. */
  readonly viewer_groups: Map<string, ViewerGroup<S>>;
  readonly viewer_group_by_channel: Map<string, ViewerGroup<S>>;
  /** Cached: the accounts of all followed members; undefined until it is needed. */
  everyone: readonly FollowedAccount<S>[] | undefined;
}

export interface WorldState<S> {
  /** Set while events are applied again: a guild without members may get one by a later event. */
  keepEmptyGuilds: boolean;
  readonly accounts: Map<string, MutableAccount<S>>;
  readonly guilds: Map<string, MutableGuild<S>>;
}
