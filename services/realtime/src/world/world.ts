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
 * The guilds and accounts with sessions on this replica, at one position of chat's event log. It alone decides the
 * receivers of an event, and only by its state and the earlier events.
 */
export class World<S> {
  readonly #state: WorldState<S> = { accounts: new Map(), guilds: new Map(), keepEmptyGuilds: false };
  readonly #permissionCheck: PermissionCheck;

  /** @param permissionCheck computes a member's permissions in a channel */
  constructor(permissionCheck: PermissionCheck = channelPermissions) {
    this.#permissionCheck = permissionCheck;
  }

  /** Applies the next event, and returns its deliveries in order. An unknown or malformed event has none. */
  apply(event: LogEvent): readonly Delivery<S>[] {
    if (event.account_ids.length > 0) return applyToAccounts(this.#state, event);
    const guild = this.#state.guilds.get(event.guild_id ?? '');
    const handler = GUILD_EVENTS.get(event.type) ?? CHANNEL_EVENTS.get(event.type);
    return guild === undefined || handler === undefined ? [] : handler(guild, event, this.#state);
  }

  /**
   * The guild that must be added before `apply`: that of a GUILD_CREATE for a followed account that is not yet a member
   * of it here. If the guild is not here, it has no other followed members, so this account's member is enough.
   */
  missingGuild({ type, account_ids, guild_id }: LogEvent): string | undefined {
    if (type !== 'GUILD_CREATE' || guild_id === undefined) return undefined;
    const { accounts, guilds } = this.#state;
    const members = guilds.get(guild_id)?.members;
    return account_ids.some((id) => accounts.has(id) && !members?.has(id)) ? guild_id : undefined;
  }

  /** Adds an account with its memberships in guilds that are here. An account that is already followed stays as it is. */
  addAccount(account: AccountState): FollowedAccount<S> {
    return addAccount(this.#state, account);
  }

  /** Removes an account, and guilds without other followed accounts. */
  removeAccount(id: string): void {
    const { accounts } = this.#state;
    for (const guild of accounts.get(id)?.guilds ?? []) leaveGuild(this.#state, guild, id);
    accounts.delete(id);
  }

  /** Adds a guild. In a guild that is already followed, only missing members of followed accounts are added. */
  addGuild(guild: GuildState): void {
    addGuild(this.#state, guild, this.#permissionCheck);
  }

  /**
   * Brings loaded state to the world's position by applying the events since it was read. They are applied to the whole world
   * again, which does not change its older state. Nothing is delivered. Loaded guilds without followed accounts are removed.
   */
  catchUp(events: readonly LogEvent[], loaded: Iterable<string>): void {
    const { guilds } = this.#state;
    this.#state.keepEmptyGuilds = true;
    for (const event of events) this.apply(event);
    this.#state.keepEmptyGuilds = false;
    for (const id of [...loaded, ...events.map(({ guild_id }) => guild_id ?? '')])
      if (guilds.get(id)?.members.size === 0) guilds.delete(id);
  }

  account(id: string): FollowedAccount<S> | undefined {
    return this.#state.accounts.get(id);
  }

  guild(id: string): FollowedGuild<S> | undefined {
    return this.#state.guilds.get(id);
  }

  /** Counts guilds, accounts and channels, private channels once for each account. It visits all of them. */
  size(): { readonly guilds: number; readonly accounts: number; readonly channels: number } {
    const { accounts, guilds } = this.#state;
    let channels = 0;
    for (const guild of guilds.values()) channels += guild.channels.size;
    for (const { private_channels } of accounts.values()) channels += private_channels.size;
    return { guilds: guilds.size, accounts: accounts.size, channels };
  }

  /** Estimates the bytes of the state. It visits all of it. */
  bytes(): number {
    return stateBytes(this.#state);
  }

  /** Estimates each account's share of the bytes. Accounts in a guild share its bytes. */
  bytesByAccount(): ReadonlyMap<string, number> {
    return stateBytesByAccount(this.#state);
  }
}

/** The guild's roles in REST's order. */
export function rolesOf({ roles }: FollowedGuild): readonly Role[] {
  return [...roles.values()].sort(byPosition);
}

/** The account's open private channels, those with the newest messages first. */
export function privateChannelsOf({ private_channels }: FollowedAccount): readonly ChannelRow[] {
  const newest = ({ id, last_message_id }: ChannelRow): string => last_message_id ?? id;
  return [...private_channels.values()].sort((one, other) => byId(newest(other), newest(one)));
}
