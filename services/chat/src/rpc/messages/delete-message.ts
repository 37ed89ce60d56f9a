import { holds, Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteMessageRequest, DeleteMessageResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { guildDisabled, missingPermissions, unknownMessage } from '../../errors.ts';
import { messageDeleted } from '../../events/event.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { accessChannel } from '../../guilds/access.ts';
import { lockChannel } from '../../store/channels/channel-lock.ts';
import { insertEvents } from '../../store/events/events.ts';
import { deleteMessageRow, findMessageToChange } from '../../store/messages/change-messages.ts';

export function deleteMessage(deps: Deps): Handler<DeleteMessageRequest, DeleteMessageResponse> {
  return async ({ channel_id, message_id }, call) => {
    const account_id = requireAccount(call.caller);
    await eventTransaction(deps, async (tx) => {
      const { is_disabled } = await lockChannel(tx, channel_id);
      const { channel, permissions } = await accessChannel(tx, channel_id, account_id);
      const row = await findMessageToChange(tx, channel_id, message_id);
      if (row === undefined) throw unknownMessage();
      if (row.author_id !== account_id && !holds(permissions, Permission.MANAGE_MESSAGES)) {
        throw missingPermissions();
      }
      if (is_disabled) throw guildDisabled();
      const last_message_id = await deleteMessageRow(tx, channel.id, row.id);
      await insertEvents(tx, [messageDeleted(channel, row.id, last_message_id)]);
    });
    return {};
  };
}
