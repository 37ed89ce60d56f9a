import type { HeldRole, Overwrite } from '@gatehouse/chat-client/permissions';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';

/** An account that is followed: it has sessions on this replica. */
export interface FollowedAccount<S = unknown> {
  readonly id: string;
  readonly sessions: Set<S>;
  /** Those it is in. */
  readonly guilds: ReadonlySet<FollowedGuild<S>>;
  /** Those that are open for it, in no order (privateChannelsOf). */
  readonly private_channels: ReadonlyMap<string, ChannelRow>;
}

/** A guild that followed accounts are in. Only the world changes it. */
export interface FollowedGuild<S = unknown> {
  readonly id: string;
  readonly row: GuildRow;
  /** In no order (rolesOf). */
  readonly roles: ReadonlyMap<string, Role>;
  /** All, whoever can view them; in no order. */
  readonly channels: ReadonlyMap<string, ChannelRow>;
  /** Of followed accounts (memberOf). */
  readonly members: ReadonlyMap<string, FollowedMember<S>>;
  readonly viewer_group_of: ReadonlyMap<string, ViewerGroup<S>>;
  readonly permissionCheck: PermissionCheck;
}

/** A member as it is kept: there is one for each followed account in each guild, so it is small. */
export interface FollowedMember<S = unknown> {
  readonly account: FollowedAccount<S>;
  role_set: RoleSet;
  profile: MemberProfile;
  joined_at: string;
}

export type MemberProfile = Omit<MemberRow, 'account_id' | 'role_ids' | 'joined_at'>;

/** The members that hold the same roles: what they may do is worked out once for all of them. */
export interface RoleSet {
  readonly key: string;
  /** Without @everyone's. */
  readonly role_ids: readonly string[];
  /** The owner may do all, so it is alone in a set. */
  readonly is_owner: boolean;
  /** The roles as they are now, @everyone's among them. */
  held: readonly HeldRole[];
  /** How many followed members are in it. */
  members: number;
}

/** Who can view a channel: the same for all channels of a guild that have the same overwrites of VIEW_CHANNEL. */
export interface ViewerGroup<S = unknown> {
  readonly key: string;
  /** Those that allow or deny VIEW_CHANNEL. */
  readonly overwrites: readonly Overwrite[];
  /** The accounts with an overwrite of their own among them: what their roles say is not the last word. */
  readonly own: ReadonlySet<string>;
  /** Whether those who hold the same roles can view, as far as it was asked. */
  readonly views: Map<RoleSet, boolean>;
  /** How many channels have it. */
  channels: number;
  /** Undefined: to be worked out when it is asked for. */
  viewers: readonly FollowedAccount<S>[] | undefined;
}

/** channelPermissions; a test counts how often it is asked. */
export type PermissionCheck = typeof import('@gatehouse/chat-client/permissions').channelPermissions;

/** The account as the world changes it. */
export interface MutableAccount<S> extends FollowedAccount<S> {
  readonly guilds: Set<MutableGuild<S>>;
  readonly private_channels: Map<string, ChannelRow>;
}

/** The guild as the world changes it. */
export interface MutableGuild<S> extends FollowedGuild<S> {
  row: GuildRow;
  readonly roles: Map<string, Role>;
  readonly channels: Map<string, ChannelRow>;
  readonly members: Map<string, FollowedMember<S>>;
  /** Those that members have, by what makes them the same. */
  readonly role_sets: Map<string, RoleSet>;
  /** Those that channels have, by what makes them the same. */
  readonly viewer_groups: Map<string, ViewerGroup<S>>;
  readonly viewer_group_of: Map<string, ViewerGroup<S>>;
  /** All followed members' accounts. Undefined: to be worked out when it is asked for. */
  everyone: readonly FollowedAccount<S>[] | undefined;
}

export interface WorldState<S> {
  /** While events are applied again: a guild may fall empty that somebody comes back into. */
  keepEmptyGuilds: boolean;
  readonly accounts: Map<string, MutableAccount<S>>;
  readonly guilds: Map<string, MutableGuild<S>>;
}
