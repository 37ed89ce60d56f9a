import type { HeldRole, Overwrite } from '@gatehouse/chat-client/permissions';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';

/** An account that is followed: it has sessions on this replica. */
export interface AccountPlace<S = unknown> {
  readonly id: string;
  readonly sessions: Set<S>;
  /** Those it is in. */
  readonly guilds: ReadonlySet<GuildPlace<S>>;
  /** Those that are open for it, in no order (privateChannelsOf). */
  readonly private_channels: ReadonlyMap<string, ChannelRow>;
}

/** A guild that followed accounts are in. Only the world changes it. */
export interface GuildPlace<S = unknown> {
  readonly id: string;
  readonly row: GuildRow;
  /** In no order (rolesOf). */
  readonly roles: ReadonlyMap<string, Role>;
  /** All, whoever can view them; in no order. */
  readonly channels: ReadonlyMap<string, ChannelRow>;
  /** Of followed accounts (memberOf). */
  readonly members: ReadonlyMap<string, MemberPlace<S>>;
  readonly audience_of: ReadonlyMap<string, Audience<S>>;
  readonly judge: Judge;
}

/** A member as it is kept: there is one for each followed account in each guild, so it is small. */
export interface MemberPlace<S = unknown> {
  readonly account: AccountPlace<S>;
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
export interface Audience<S = unknown> {
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
  viewers: readonly AccountPlace<S>[] | undefined;
}

/** channelPermissions; a test counts how often it is asked. */
export type Judge = typeof import('@gatehouse/chat-client/permissions').channelPermissions;

/** The account as the world changes it. */
export interface OpenAccount<S> extends AccountPlace<S> {
  readonly guilds: Set<OpenGuild<S>>;
  readonly private_channels: Map<string, ChannelRow>;
}

/** The guild as the world changes it. */
export interface OpenGuild<S> extends GuildPlace<S> {
  row: GuildRow;
  readonly roles: Map<string, Role>;
  readonly channels: Map<string, ChannelRow>;
  readonly members: Map<string, MemberPlace<S>>;
  /** Those that members have, by what makes them the same. */
  readonly role_sets: Map<string, RoleSet>;
  /** Those that channels have, by what makes them the same. */
  readonly audiences: Map<string, Audience<S>>;
  readonly audience_of: Map<string, Audience<S>>;
  /** All followed members' accounts. Undefined: to be worked out when it is asked for. */
  everyone: readonly AccountPlace<S>[] | undefined;
}

export interface Places<S> {
  /** While events are applied again: a guild may fall empty that somebody comes back into. */
  keepsEmpty: boolean;
  readonly accounts: Map<string, OpenAccount<S>>;
  readonly guilds: Map<string, OpenGuild<S>>;
}
