import type { ChannelRow, MemberRow } from '@gatehouse/chat-client/rows';
import type { AccountState, Channel, GuildState, Member } from '@gatehouse/proto/chat';
import { setChannel } from './audiences.ts';
import { addMember } from './members.ts';
import type { Judge, OpenAccount, OpenGuild, Places } from './places.ts';

/** Adds a guild as GetGuildStates gives it. Of one that is here already it takes only members that are missing. */
export function addGuild<S>(
  places: Places<S>,
  { guild: known, channels, members }: GuildState,
  judge: Judge,
): void {
  if (known === null) return;
  const { roles, permissions: _, ...row } = known;
  let guild = places.guilds.get(row.id);
  if (guild === undefined) {
    guild = newGuild(row, judge);
    for (const role of roles) guild.roles.set(role.id, role);
    for (const channel of channels) setChannel(guild, channelRow(channel, []));
    places.guilds.set(row.id, guild);
  }
  for (const { account_id, member } of members) {
    const account = places.accounts.get(account_id);
    if (account !== undefined) addMissing(guild, account, member);
  }
}

/** An account that is here already stays as it is. */
export function addAccount<S>(places: Places<S>, state: AccountState): OpenAccount<S> {
  const { account_id: id, members, private_channels } = state;
  const here = places.accounts.get(id);
  if (here !== undefined) return here;
  const account: OpenAccount<S> = {
    id,
    sessions: new Set(),
    guilds: new Set(),
    private_channels: new Map(
      private_channels.flatMap(({ channel, recipient_ids }) =>
        channel === null ? [] : [[channel.id, channelRow(channel, recipient_ids)]],
      ),
    ),
  };
  places.accounts.set(id, account);
  for (const { guild_id, member } of members) {
    const guild = places.guilds.get(guild_id);
    if (guild !== undefined) addMissing(guild, account, member);
  }
  return account;
}

function addMissing<S>(guild: OpenGuild<S>, account: OpenAccount<S>, member: Member | null): void {
  if (member !== null && !guild.members.has(account.id))
    addMember(guild, account, memberRow(account.id, member));
}

function newGuild<S>(row: OpenGuild<S>['row'], judge: Judge): OpenGuild<S> {
  return {
    id: row.id,
    row,
    roles: new Map(),
    channels: new Map(),
    members: new Map(),
    role_sets: new Map(),
    audiences: new Map(),
    audience_of: new Map(),
    everyone: undefined,
    judge,
  };
}

function channelRow({ recipients: _, ...channel }: Channel, recipient_ids: readonly string[]): ChannelRow {
  return { ...channel, recipient_ids };
}

/** The state leaves out what is null. */
function memberRow(account_id: string, { user: _, roles: role_ids, ...member }: Member): MemberRow {
  const { nick = null, avatar = null, banner = null, joined_at } = member;
  const { bio = null, pronouns = null, accent_color = null } = member;
  return { account_id, nick, avatar, banner, bio, pronouns, accent_color, role_ids, joined_at };
}
