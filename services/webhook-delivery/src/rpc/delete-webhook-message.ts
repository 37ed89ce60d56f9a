import type { Handler } from '@gatehouse/kit/rpc';
import type {
  DeleteWebhookMessageRequest,
  DeleteWebhookMessageResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { MESSAGE_TIMEOUT_MS } from '../execution/message-author.ts';
import { locateMessage } from '../webhooks/credential.ts';
import { withCurrentCheck } from '../webhooks/with-current-check.ts';

export function deleteWebhookMessage(
  deps: Deps,
): Handler<DeleteWebhookMessageRequest, DeleteWebhookMessageResponse> {
  return async (request, call) => {
    const locate = () => locateMessage(deps, request);
    return withCurrentCheck(deps, locate, (message) =>
      deps.chat.deleteWebhookMessage(message, { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS }),
    );
  };
}
