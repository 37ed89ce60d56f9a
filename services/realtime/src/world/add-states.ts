import type { ChannelRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { AccountState, Channel, GuildState, Member } from '@gatehouse/proto/chat';
import { addMember } from './members.ts';
import { setChannel } from './viewer-groups.ts';
import type { MutableAccount, MutableGuild, PermissionCheck, WorldState } from './world-state.ts';

/** Adds a guild from GetGuildStates. In a guild that is already followed, only missing members are added. */
export function addGuild<S>(
  state: WorldState<S>,
  { guild: known, channels, members }: GuildState,
  permissionCheck: PermissionCheck,
): void {
  if (known === null) return;
  const { roles, permissions: _, ...row } = known;
  let guild = state.guilds.get(row.id);
  if (guild === undefined) {
    guild = newGuild(row, permissionCheck);
    for (const role of roles) guild.roles.set(role.id, role);
    for (const channel of channels) setChannel(guild, channelRow(channel, []));
    state.guilds.set(row.id, guild);
  }
  for (const { account_id, member } of members) {
    const account = state.accounts.get(account_id);
    if (account !== undefined) addMissing(guild, account, member);
  }
}

/** An account that is already followed stays as it is. */
export function addAccount<S>(
  state: WorldState<S>,
  { account_id: id, members, private_channels }: AccountState,
): MutableAccount<S> {
  const here = state.accounts.get(id);
  if (here !== undefined) return here;
  const account: MutableAccount<S> = {
    id,
    sessions: new Set(),
    guilds: new Set(),
    private_channels: new Map(
      private_channels.flatMap(({ channel, recipient_ids }) =>
        channel === null ? [] : [[channel.id, channelRow(channel, recipient_ids)]],
      ),
    ),
  };
  state.accounts.set(id, account);
  for (const { guild_id, member } of members) {
    const guild = state.guilds.get(guild_id);
    if (guild !== undefined) addMissing(guild, account, member);
  }
  return account;
}

function addMissing<S>(guild: MutableGuild<S>, account: MutableAccount<S>, member: Member | null): void {
  if (member !== null && !guild.members.has(account.id))
    addMember(guild, account, memberRow(account.id, member));
}

function newGuild<S>(row: MutableGuild<S>['row'], permissionCheck: PermissionCheck): MutableGuild<S> {
  return {
    id: row.id,
    row,
    roles: new Map(),
    channels: new Map(),
    members: new Map(),
    role_sets: new Map(),
    viewer_groups: new Map(),
    viewer_group_by_channel: new Map(),
    everyone: undefined,
    permissionCheck,
  };
}

function channelRow({ recipients: _, ...channel }: Channel, recipient_ids: readonly string[]): ChannelRow {
  return { ...channel, recipient_ids };
}

/** The state omits null values. */
function memberRow(account_id: string, { user: _, roles: role_ids, ...member }: Member): MemberRow {
  const { nick = null, avatar = null, banner = null, joined_at } = member;
  const { bio = null, pronouns = null, accent_color = null } = member;
  return { account_id, nick, avatar, banner, bio, pronouns, accent_color, role_ids, joined_at };
}
