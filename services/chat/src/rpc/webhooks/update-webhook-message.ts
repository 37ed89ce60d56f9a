import { accountsShown } from '@gatehouse/chat-client/message-view';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateWebhookMessageRequest, UpdateWebhookMessageResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { emptyMessage, unknownMessage } from '../../errors.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { editMessage } from '../../messages/edit-message.ts';
import { viewEditedMessage } from '../../messages/edited-message-view.ts';
import { lockWebhookMessage } from '../../messages/lock-webhook-message.ts';
import { ALLOW_NONE } from '../../messages/mentions.ts';
import { isEmptyEdit, readEdit } from '../../messages/message-edit.ts';
import { findMessage } from '../../store/messages/messages.ts';

export function updateWebhookMessage(
  deps: Deps,
): Handler<UpdateWebhookMessageRequest, UpdateWebhookMessageResponse> {
  return async (request) => {
    const { channel_id, message_id } = request;
    const edit = readEdit(request, ALLOW_NONE);
    if (isEmptyEdit(edit)) throw emptyMessage(); // even if the message has embeds, unlike an account's edit
    const before = await findMessage(deps.prisma, channel_id, message_id);
    if (before === undefined) throw unknownMessage();
    // Users are read first, so that nothing can fail after the edit is stored.
    const requested = new Set([...accountsShown(before), ...edit.mentions.user_ids]);
    const shownUsers = await deps.users(requested);
    const notified = {
      mention_ids: edit.mentions.user_ids.filter((id) => shownUsers.has(id)),
      mention_role_ids: [], // not resolved: docs/webhooks.md#role-mentions
      mention_everyone: edit.mentions.everyone,
    };

    const message = await eventTransaction(deps, async (tx) => {
      const { channel, row } = await lockWebhookMessage(tx, request);
      return editMessage(tx, channel, row, edit, notified);
    });
    return { message: await viewEditedMessage(deps.users, message, requested, shownUsers) };
  };
}
