import { channelPermissions } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { AccountState, GuildState, Role } from '@gatehouse/proto/chat';
import { applyToAccounts } from './account-events.ts';
import { addAccount, addGuild } from './add-states.ts';
import { CHANNEL_EVENTS } from './channel-events.ts';
import type { Delivery } from './delivery.ts';
import type { LogEvent } from './event.ts';
import { GUILD_EVENTS, leaveGuild } from './guild-events.ts';
import { byId, byPosition } from './order.ts';
import { stateBytes, stateBytesByAccount } from './state-bytes.ts';
import type { FollowedAccount, FollowedGuild, PermissionCheck, WorldState } from './world-state.ts';

/**
 * The guilds and accounts that have sessions on this replica, at one place in chat's event log. Who is told of an event
 * is judged here and nowhere else, by nothing but the state and the events before it.
 */
export interface World<S> {
  /** Goes on by one event, and says who is told of it, in this order. What it does not understand it leaves out. */
  apply(event: LogEvent): readonly Delivery<S>[];
  /**
   * The guild that must be added before `apply`: GUILD_CREATE names a followed account that is not known to be in it.
   * Only that account's member is wanted: a guild that others here were in would be here.
   */
  missingGuild(event: LogEvent): string | undefined;
  /** Its guilds must have been added, or are left out. One that is here already stays as it is. */
  addAccount(account: AccountState): FollowedAccount<S>;
  /** Guilds without any followed account leave with it. */
  removeAccount(account_id: string): void;
  /** Of one that is here already, only members of followed accounts that are missing are added. */
  addGuild(guild: GuildState): void;
  /**
   * Brings what was loaded to the world's own place, by the events that were applied since it was read. They are applied to
   * all once more, which changes nothing of what was here before. Nobody is told. Guilds of `loaded` that no followed account
   * is in leave.
   */
  catchUp(events: readonly LogEvent[], loaded: Iterable<string>): void;
  account(id: string): FollowedAccount<S> | undefined;
  guild(id: string): FollowedGuild<S> | undefined;
  /** `channels`: of guilds, and private ones for each account. It goes through all of them. */
  size(): { readonly guilds: number; readonly accounts: number; readonly channels: number };
  /** About the bytes of all that is kept. It goes through all of it. */
  bytes(): number;
  /** About the bytes that each account has of it. Accounts that are in the same guild share its bytes. */
  bytesByAccount(): ReadonlyMap<string, number>;
}

/** @param permissionCheck what a member may do in a channel */
export function createWorld<S>(permissionCheck: PermissionCheck = channelPermissions): World<S> {
  const state: WorldState<S> = { accounts: new Map(), guilds: new Map(), keepEmptyGuilds: false };
  const { accounts, guilds } = state;
  return {
    apply: (event) => apply(state, event),
    missingGuild: ({ type, account_ids, guild_id }) => {
      if (type !== 'GUILD_CREATE' || guild_id === undefined) return undefined;
      const members = guilds.get(guild_id)?.members;
      return account_ids.some((id) => accounts.has(id) && !members?.has(id)) ? guild_id : undefined;
    },
    addAccount: (account) => addAccount(state, account),
    removeAccount: (id) => {
      for (const guild of accounts.get(id)?.guilds ?? []) leaveGuild(state, guild, id);
      accounts.delete(id);
    },
    addGuild: (guild) => addGuild(state, guild, permissionCheck),
    catchUp: (events, loaded) => {
      state.keepEmptyGuilds = true;
      for (const event of events) apply(state, event);
      state.keepEmptyGuilds = false;
      for (const id of [...loaded, ...events.map(({ guild_id }) => guild_id ?? '')])
        if (guilds.get(id)?.members.size === 0) guilds.delete(id);
    },
    account: (id) => accounts.get(id),
    guild: (id) => guilds.get(id),
    bytes: () => stateBytes(state),
    bytesByAccount: () => stateBytesByAccount(state),
    size: () => {
      let channels = 0;
      for (const guild of guilds.values()) channels += guild.channels.size;
      for (const { private_channels } of accounts.values()) channels += private_channels.size;
      return { guilds: guilds.size, accounts: accounts.size, channels };
    },
  };
}

/** As REST lists them. */
export function rolesOf({ roles }: FollowedGuild): readonly Role[] {
  return [...roles.values()].sort(byPosition);
}

/** The open private channels of an account, the one with the newest message first. */
export function privateChannelsOf({ private_channels }: FollowedAccount): readonly ChannelRow[] {
  const newest = ({ id, last_message_id }: ChannelRow): string => last_message_id ?? id;
  return [...private_channels.values()].sort((one, other) => byId(newest(other), newest(one)));
}

function apply<S>(state: WorldState<S>, event: LogEvent): readonly Delivery<S>[] {
  if (event.account_ids.length > 0) return applyToAccounts(state, event);
  const guild = state.guilds.get(event.guild_id ?? '');
  const handler = GUILD_EVENTS.get(event.type) ?? CHANNEL_EVENTS.get(event.type);
  return guild === undefined || handler === undefined ? [] : handler(guild, event, state);
}
