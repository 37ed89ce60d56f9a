import type { Handler } from '@gatehouse/kit/rpc';
import type { GetWebhookMessageRequest, GetWebhookMessageResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { findWebhook } from '../store/webhooks.ts';
import { openMessage } from '../webhooks/credential.ts';

const TIMEOUT_MS = 5_000;

export function getWebhookMessage({
  records,
  chat,
}: Deps): Handler<GetWebhookMessageRequest, GetWebhookMessageResponse> {
  return async (request, call) => {
    const message = await openMessage((id) => findWebhook(records, id), request);
    return chat.getWebhookMessage(message, { within: call, timeoutMs: TIMEOUT_MS });
  };
}
