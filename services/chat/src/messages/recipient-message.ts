import type { MessageRow } from '@gatehouse/chat-client/rows';
import { MessageType } from '../store/messages/messages.ts';

/** The message in a group DM about a new recipient: its author added the account that it mentions. */
export function recipientMessage(
  id: string,
  channel_id: string,
  author_id: string,
  account_id: string,
): MessageRow {
  return {
    id,
    channel_id,
    author_id,
    webhook_id: null,
    webhook_name: null,
    webhook_avatar: null,
    type: MessageType.RECIPIENT_ADD,
    flags: 0,
    content: '',
    embeds: [],
    mention_ids: [account_id],
    mention_role_ids: [],
    mention_everyone: false,
    pinned: false,
    edited_at: null,
  };
}
