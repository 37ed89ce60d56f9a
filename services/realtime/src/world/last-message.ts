import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { lastMessageOf } from './log-payloads.ts';
import { byId } from './order.ts';

/** The newest message is the one with the highest ID: messages may be committed out of order. */
export function withLastMessage(channel: ChannelRow, id: string): ChannelRow {
  const { last_message_id: last } = channel;
  return last != null && byId(last, id) >= 0 ? channel : { ...channel, last_message_id: id };
}

/** The event of a deletion names the newest message that is left. */
export function afterDeletion(channel: ChannelRow, payload: unknown): ChannelRow {
  const last_message_id = lastMessageOf(payload);
  return last_message_id === undefined ? channel : { ...channel, last_message_id };
}
