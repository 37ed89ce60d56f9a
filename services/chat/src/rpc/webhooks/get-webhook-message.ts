import { accountsShown, viewMessage } from '@gatehouse/chat-client/message-view';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetWebhookMessageRequest, GetWebhookMessageResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { missingPermissions, unknownMessage } from '../../errors.ts';
import { findMessage } from '../../store/messages/messages.ts';

export function getWebhookMessage({
  prisma,
  users,
}: Deps): Handler<GetWebhookMessageRequest, GetWebhookMessageResponse> {
  return async ({ webhook_id, channel_id, message_id }) => {
    const row = await findMessage(prisma, channel_id, message_id);
    if (row === undefined) throw unknownMessage();
    if (row.webhook_id !== webhook_id) throw missingPermissions();
    return { message: viewMessage(row, await users(accountsShown(row))) };
  };
}
