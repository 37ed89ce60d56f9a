import type { Handler } from '@gatehouse/kit/rpc';
import type { GetWebhookMessageRequest, GetWebhookMessageResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { findWebhook } from '../store/webhooks.ts';
import { openWebhook, requireId } from '../webhooks/credential.ts';

const TIMEOUT_MS = 5_000;

export function getWebhookMessage({
  records,
  chat,
}: Deps): Handler<GetWebhookMessageRequest, GetWebhookMessageResponse> {
  return async ({ message_id, ...credential }, call) => {
    const webhook = await openWebhook((id) => findWebhook(records, id), credential);
    requireId('message_id', message_id);
    return chat.getWebhookMessage(
      { webhook_id: webhook.id, channel_id: webhook.channel_id, message_id },
      { within: call, timeoutMs: TIMEOUT_MS },
    );
  };
}
