import type { Handler } from '@gatehouse/kit/rpc';
import type {
  ExecuteWebhookBody,
  ExecuteWebhookRequest,
  ExecuteWebhookResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { MESSAGE_TIMEOUT_MS, postingAs } from '../execution/execution.ts';
import { readMessageBody } from '../execution/message-body.ts';
import { openWebhook } from '../webhooks/credential.ts';

const BODY = 'gatehouse.webhook_delivery.v1.ExecuteWebhookBody';

export function executeWebhook(deps: Deps): Handler<ExecuteWebhookRequest, ExecuteWebhookResponse> {
  return async (request, call) => {
    const webhook = await openWebhook(deps, request);
    const { webhook_id, content_type } = request;
    return deps.executions.track({ dialect: 'webhook', webhook_id, content_type }, async () => {
      const { username, ...what } = readMessageBody<ExecuteWebhookBody>(BODY, request);
      const { message } = await deps.chat.createWebhookMessage(
        { ...postingAs(webhook, username), ...what },
        { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
      );
      return { answer: { message: WAIT.has(request.wait) ? message : null } };
    });
  };
}

const WAIT: ReadonlySet<string | null | undefined> = new Set(['true', 'True', '1']);
