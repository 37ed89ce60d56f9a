import type { Handler } from '@gatehouse/kit/rpc';
import type {
  UpdateWebhookMessageBody,
  UpdateWebhookMessageRequest,
  UpdateWebhookMessageResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { MESSAGE_TIMEOUT_MS } from '../execution/message-author.ts';
import { readMessageBody } from '../execution/message-body.ts';
import { locateMessage } from '../webhooks/credential.ts';
import { withCurrentCheck } from '../webhooks/with-current-check.ts';

const EDIT_BODY = 'gatehouse.webhook_delivery.v1.UpdateWebhookMessageBody';

export function updateWebhookMessage(
  deps: Deps,
): Handler<UpdateWebhookMessageRequest, UpdateWebhookMessageResponse> {
  return async (request, call) => {
    const locate = () => locateMessage(deps, request);
    return withCurrentCheck(deps, locate, async (message) => {
      const edit = readMessageBody<UpdateWebhookMessageBody>(EDIT_BODY, request);
      return deps.chat.updateWebhookMessage(
        { ...message, ...edit },
        { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
      );
    });
  };
}
