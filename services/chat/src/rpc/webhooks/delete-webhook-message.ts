import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteWebhookMessageRequest, DeleteWebhookMessageResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { messageDeleted } from '../../events/event.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { lockWebhookMessage } from '../../messages/lock-webhook-message.ts';
import { insertEvents } from '../../store/events/events.ts';
import { deleteMessageRow } from '../../store/messages/change-messages.ts';

export function deleteWebhookMessage(
  deps: Deps,
): Handler<DeleteWebhookMessageRequest, DeleteWebhookMessageResponse> {
  return async (request) => {
    await eventTransaction(deps, async (tx) => {
      const { channel, row } = await lockWebhookMessage(tx, request);
      const last_message_id = await deleteMessageRow(tx, channel.id, row.id);
      await insertEvents(tx, [messageDeleted(channel, row.id, last_message_id)]);
    });
    return {};
  };
}
