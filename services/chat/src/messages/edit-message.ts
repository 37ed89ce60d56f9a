import { isDeepStrictEqual } from 'node:util';
import type { ChannelRow, MessageRow } from '@gatehouse/chat-client/rows';
import type { PoolClient } from 'pg';
import { messageUpdated } from '../events/event.ts';
import { insertEvents } from '../store/events/events.ts';
import { updateMessageRow } from '../store/messages/change-messages.ts';
import { applyEdit, type MessageEdit, type Notified } from './message-edit.ts';

/**
 * Stores an edit of a message with its event, in a transaction that has locked the channel. An edit that changes nothing
 * has no event. Returns the current message.
 *
 * @throws CANNOT_SEND_EMPTY_MESSAGE
 */
export async function editMessage(
  tx: PoolClient,
  channel: ChannelRow,
  row: MessageRow,
  edit: MessageEdit,
  notified: Notified,
): Promise<MessageRow> {
  const edited = applyEdit(row, edit, notified, new Date());
  if (isSame(edited, row)) return row;
  await updateMessageRow(tx, edited);
  await insertEvents(tx, [messageUpdated(channel, edited)]);
  return edited;
}

/** As stored: undefined fields are omitted. */
function isSame(one: MessageRow, other: MessageRow): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}
