import { viewChannel } from '@gatehouse/chat-client/channel-view';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { User } from '@gatehouse/proto/auth';
import { isObject, isStrings } from './fields.ts';
import type { Payload } from './payload.ts';
import { writeChannel } from './texts.ts';

/** Nobody's ID, for those who see a channel of a guild: it shows no recipients. */
const ANYONE = '';

/** What a session is told of a guild's channel that it can view from now on. */
export function channelShown(channel: ChannelRow): Payload {
  return { t: 'CHANNEL_CREATE', d: guildChannel(channel) };
}

/** What a session is told of a guild's channel that it can view no longer. */
export function channelHidden({ id, guild_id }: HiddenChannel): Payload {
  return { t: 'CHANNEL_DELETE', d: JSON.stringify({ id, guild_id }) };
}

export interface HiddenChannel {
  readonly id: string;
  readonly guild_id: string;
}

/** A channel of a guild as clients see it. */
export function guildChannel(channel: ChannelRow): string {
  return writeChannel(viewChannel(channel, ANYONE)).text;
}

/** A private channel as this account sees it: with the recipients besides itself. */
export function privateChannel(
  channel: ChannelRow,
  accountId: string,
  users: ReadonlyMap<string, User>,
): string {
  return writeChannel(viewChannel(channel, accountId, users)).text;
}

/** A channel of the log as an account sees it; one of a guild looks the same to all. */
export function channelPayload(
  payload: unknown,
  accountId: string = ANYONE,
  users?: ReadonlyMap<string, User>,
): string | undefined {
  if (!isChannel(payload)) return undefined;
  const { text, whole } = writeChannel(viewChannel(payload, accountId, users));
  return whole ? text : undefined;
}

/** The accounts whose users a private channel shows to any of those in it. */
export function channelAccounts(payload: unknown): readonly string[] {
  return isChannel(payload) ? payload.recipient_ids : [];
}

/** Whether it can be viewed as a channel. Its other members are judged when it is written. */
function isChannel(payload: unknown): payload is ChannelRow {
  return (
    isObject(payload) && isStrings(payload.recipient_ids) && Array.isArray(payload.permission_overwrites)
  );
}
