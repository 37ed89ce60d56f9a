import { accountsShown } from '@gatehouse/chat-client/message-view';
import { holds, Permission } from '@gatehouse/chat-client/permissions';
import type { MessageRow } from '@gatehouse/chat-client/rows';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateMessageRequest, UpdateMessageResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { guildDisabled, missingPermissions, unknownMessage } from '../../errors.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { accessChannel, type ChannelAccess } from '../../guilds/access.ts';
import { editMessage } from '../../messages/edit-message.ts';
import { viewEditedMessage } from '../../messages/edited-message-view.ts';
import { ALLOW_ALL } from '../../messages/mentions.ts';
import { changesContent, type MessageEdit, readEdit } from '../../messages/message-edit.ts';
import { notifiedMentions } from '../../messages/notified-mentions.ts';
import { lockChannel } from '../../store/channels/channel-lock.ts';
import { findMessageToChange } from '../../store/messages/change-messages.ts';
import { findMessage, MessageType } from '../../store/messages/messages.ts';

export function updateMessage(deps: Deps): Handler<UpdateMessageRequest, UpdateMessageResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const { channel_id, message_id } = request;
    const edit = readEdit(request, ALLOW_ALL);
    await accessChannel(deps.db, channel_id, account_id);
    const before = await findMessage(deps.prisma, channel_id, message_id);
    if (before === undefined) throw unknownMessage();
    // Users are read first, so that nothing can fail after the edit is stored.
    const requested = new Set([...accountsShown(before), ...edit.mentions.user_ids]);
    const shownUsers = await deps.users(requested);

    const message = await eventTransaction(deps, async (tx) => {
      const { is_disabled } = await lockChannel(tx, channel_id);
      const access = await accessChannel(tx, channel_id, account_id);
      const row = await findMessageToChange(tx, channel_id, message_id);
      if (row === undefined) throw unknownMessage();
      if (is_disabled) throw guildDisabled();
      requireEditable(row, account_id, edit, access);
      const user_ids = edit.mentions.user_ids.filter((id) => shownUsers.has(id));
      const notified = changesContent(row, edit)
        ? await notifiedMentions(tx, edit.mentions, access, user_ids)
        : row;
      return editMessage(tx, access.channel, row, edit, notified);
    });
    return { message: await viewEditedMessage(deps.users, message, requested, shownUsers) };
  };
}

/**
 * The author may change everything, and members with MANAGE_MESSAGES the flags. System messages cannot be changed. The
 * answer contains the message, so moderators need the permission to read it.
 */
function requireEditable(
  { author_id, type }: MessageRow,
  accountId: string,
  edit: MessageEdit,
  { permissions }: ChannelAccess,
): void {
  const isFlagsAlone = edit.content === undefined && edit.embeds === undefined && edit.flags !== undefined;
  const moderation = Permission.MANAGE_MESSAGES | Permission.READ_MESSAGE_HISTORY;
  const isModerator = isFlagsAlone && holds(permissions, moderation);
  if (type !== MessageType.DEFAULT || (author_id !== accountId && !isModerator)) throw missingPermissions();
  if (edit.embeds?.length && !holds(permissions, Permission.EMBED_LINKS)) throw missingPermissions();
}
