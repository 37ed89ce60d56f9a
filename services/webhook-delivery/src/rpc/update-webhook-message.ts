import type { Handler } from '@gatehouse/kit/rpc';
import type {
  UpdateWebhookMessageBody,
  UpdateWebhookMessageRequest,
  UpdateWebhookMessageResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { MESSAGE_TIMEOUT_MS } from '../execution/execution.ts';
import { readMessageBody } from '../execution/message-body.ts';
import { openMessage } from '../webhooks/credential.ts';

const BODY = 'gatehouse.webhook_delivery.v1.UpdateWebhookMessageBody';

export function updateWebhookMessage(
  deps: Deps,
): Handler<UpdateWebhookMessageRequest, UpdateWebhookMessageResponse> {
  return async (request, call) => {
    const message = await openMessage(deps, request);
    const edit = readMessageBody<UpdateWebhookMessageBody>(BODY, request);
    return deps.chat.updateWebhookMessage(
      { ...message, ...edit },
      { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
    );
  };
}
