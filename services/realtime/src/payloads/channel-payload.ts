import { viewChannel } from '@gatehouse/chat-client/channel-view';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { User } from '@gatehouse/proto/auth';
import { isObject, isStrings } from '../json-types.ts';
import type { Payload } from './payload.ts';
import { writeChannel } from './texts.ts';

/** The viewer of a guild's channel, which shows no recipients. */
const ANYONE = '';

/** The event for a session that gains the view of a guild's channel. */
export function channelShown(channel: ChannelRow): Payload {
  return { t: 'CHANNEL_CREATE', d: guildChannel(channel) };
}

/** The event for a session that loses the view of a guild's channel. */
export function channelHidden({ id, guild_id }: HiddenChannel): Payload {
  return { t: 'CHANNEL_DELETE', d: JSON.stringify({ id, guild_id }) };
}

export interface HiddenChannel {
  readonly id: string;
  readonly guild_id: string;
}

/** The text of a guild's channel. */
export function guildChannel(channel: ChannelRow): string {
  return writeChannel(viewChannel(channel, ANYONE)).text;
}

/** The text of a private channel for one of its accounts, which is left out of the recipients. */
export function privateChannel(
  channel: ChannelRow,
  accountId: string,
  users: ReadonlyMap<string, User>,
): string {
  return writeChannel(viewChannel(channel, accountId, users)).text;
}

/** The text of a channel from the log. A guild's channel is the same for all viewers. */
export function channelPayload(
  payload: unknown,
  accountId: string = ANYONE,
  users?: ReadonlyMap<string, User>,
): string | undefined {
  if (!isViewableChannel(payload)) return undefined;
  const { text, complete } = writeChannel(viewChannel(payload, accountId, users));
  return complete ? text : undefined;
}

/** The accounts whose users a private channel shows. */
export function channelAccounts(payload: unknown): readonly string[] {
  return isViewableChannel(payload) ? payload.recipient_ids : [];
}

/** Checks the members that the view needs. The writer checks the others. */
function isViewableChannel(payload: unknown): payload is ChannelRow {
  return (
    isObject(payload) && isStrings(payload.recipient_ids) && Array.isArray(payload.permission_overwrites)
  );
}
