import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { byId } from './order.ts';
import { lastMessageOf } from './payloads.ts';

/** The newest message is that with the highest ID: messages may be committed in another order than they got theirs. */
export function withLastMessage(channel: ChannelRow, id: string): ChannelRow {
  const { last_message_id: last } = channel;
  return last != null && byId(last, id) >= 0 ? channel : { ...channel, last_message_id: id };
}

/** Once one was deleted, the event says which is the newest then. */
export function afterDeletion(channel: ChannelRow, payload: unknown): ChannelRow {
  const last_message_id = lastMessageOf(payload);
  return last_message_id === undefined ? channel : { ...channel, last_message_id };
}
