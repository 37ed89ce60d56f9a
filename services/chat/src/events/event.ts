import type { ChannelRow, GuildRow, MemberRow, MessageRow } from '@gatehouse/chat-client/rows';
import type { Role } from '@gatehouse/proto/chat';
import type { Event } from '../store/events/events.ts';
import type { GuildRows } from '../store/guilds/guild-states.ts';

/** The account is now in the guild: as its creator, as a new member, or as an installed bot. */
export function guildCreated(guild_id: string, { account_id }: MemberRow, state: GuildRows): Event {
  return { type: 'GUILD_CREATE', account_ids: [account_id], guild_id, payload: { guild_id }, state };
}

export function guildUpdated(guild: GuildRow): Event {
  return { type: 'GUILD_UPDATE', guild_id: guild.id, payload: guild };
}

/** The guild was deleted, or the account in `account_ids` left it. */
export function guildDeleted(guild_id: string, account_id?: string): Event {
  const payload = { guild_id };
  if (account_id === undefined) return { type: 'GUILD_DELETE', guild_id, payload };
  return { type: 'GUILD_DELETE', account_ids: [account_id], guild_id, payload };
}

export function roleCreated(guild_id: string, role: Role): Event {
  return { type: 'GUILD_ROLE_CREATE', guild_id, payload: { guild_id, role } };
}

export function roleUpdated(guild_id: string, role: Role): Event {
  return { type: 'GUILD_ROLE_UPDATE', guild_id, payload: { guild_id, role } };
}

/** Implies that all holders lost the role, and that its overwrites are deleted. */
export function roleDeleted(guild_id: string, role_id: string): Event {
  return { type: 'GUILD_ROLE_DELETE', guild_id, payload: { guild_id, role_id } };
}

/** `member_count` includes the new member. */
export function memberAdded(guild_id: string, member: MemberRow, member_count: number): Event {
  return { type: 'GUILD_MEMBER_ADD', guild_id, payload: { guild_id, member, member_count } };
}

export function memberUpdated(guild_id: string, member: MemberRow): Event {
  return { type: 'GUILD_MEMBER_UPDATE', guild_id, payload: { guild_id, member } };
}

/** `member_count` excludes the former member. */
export function memberRemoved(guild_id: string, account_id: string, member_count: number): Event {
  return { type: 'GUILD_MEMBER_REMOVE', guild_id, payload: { guild_id, account_id, member_count } };
}

export function channelCreated(channel: ChannelRow): Event {
  return { type: 'CHANNEL_CREATE', ...receivers(channel), payload: channel };
}

export function channelUpdated(channel: ChannelRow): Event {
  return { type: 'CHANNEL_UPDATE', ...receivers(channel), payload: channel };
}

/** The channel before its deletion: its overwrites decide who could view it. */
export function channelDeleted(channel: ChannelRow): Event {
  return { type: 'CHANNEL_DELETE', ...receivers(channel), payload: channel };
}

/** A private channel opens and closes for each account separately. */
export function channelOpened(channel: ChannelRow, account_id: string): Event {
  return { type: 'CHANNEL_CREATE', account_ids: [account_id], channel_id: channel.id, payload: channel };
}

export function channelClosed(channel: ChannelRow, account_id: string): Event {
  return { type: 'CHANNEL_DELETE', account_ids: [account_id], channel_id: channel.id, payload: channel };
}

/** For the other recipients; `channel` includes the new recipient. */
export function recipientAdded(channel: ChannelRow, account_id: string): Event {
  const account_ids = channel.recipient_ids.filter((id) => id !== account_id);
  const payload = { channel_id: channel.id, account_id };
  return { type: 'CHANNEL_RECIPIENT_ADD', account_ids, channel_id: channel.id, payload };
}

/** For the remaining recipients; `channel` excludes the former recipient. */
export function recipientRemoved(channel: ChannelRow, account_id: string): Event {
  const payload = { channel_id: channel.id, account_id };
  return {
    type: 'CHANNEL_RECIPIENT_REMOVE',
    account_ids: channel.recipient_ids,
    channel_id: channel.id,
    payload,
  };
}

export function messageUpdated(channel: ChannelRow, message: MessageRow): Event {
  return { type: 'MESSAGE_UPDATE', ...receivers(channel), payload: message };
}

export function messageDeleted(channel: ChannelRow, id: string, last_message_id: string | null): Event {
  const { id: channel_id, guild_id } = channel;
  return {
    type: 'MESSAGE_DELETE',
    ...receivers(channel),
    payload: { id, channel_id, ...(guild_id != null && { guild_id }), last_message_id },
  };
}

export function inviteCreated(invite: EventInvite): Event {
  return { type: 'INVITE_CREATE', ...inviteFields(invite) };
}

export function inviteDeleted(invite: EventInvite): Event {
  return { type: 'INVITE_DELETE', ...inviteFields(invite) };
}

/** A webhook of the guild was created, changed or deleted. `channel_id` is the webhook's channel before that. */
export function webhooksUpdated(guild_id: string, channel_id: string): Event {
  return { type: 'WEBHOOKS_UPDATE', guild_id, payload: { guild_id, channel_id } };
}

interface EventInvite {
  readonly code: string;
  readonly channel_id: string;
  readonly guild_id: string;
}

/** The receivers of a channel's events: the recipients of a private channel, or the viewers of a guild's. */
function receivers({
  id,
  guild_id,
  recipient_ids,
}: ChannelRow): Pick<Event, 'account_ids' | 'channel_id' | 'guild_id'> {
  return guild_id == null ? { account_ids: recipient_ids, channel_id: id } : { channel_id: id, guild_id };
}

function inviteFields({ code, channel_id, guild_id }: EventInvite): Omit<Event, 'type'> {
  return { channel_id, guild_id, payload: { code, channel_id, guild_id } };
}
