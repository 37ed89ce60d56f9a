import type { Handler } from '@gatehouse/kit/rpc';
import type {
  ExecuteWebhookBody,
  ExecuteWebhookRequest,
  ExecuteWebhookResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { authorOf, MESSAGE_TIMEOUT_MS } from '../execution/message-author.ts';
import { readMessageBody } from '../execution/message-body.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';

const EXECUTION_BODY = 'gatehouse.webhook_delivery.v1.ExecuteWebhookBody';

export function executeWebhook(deps: Deps): Handler<ExecuteWebhookRequest, ExecuteWebhookResponse> {
  return async (request, call) => {
    const webhook = await authenticateWebhook(deps, request);
    const { webhook_id, content_type } = request;
    return deps.executions.track({ dialect: 'webhook', webhook_id, content_type }, async () => {
      const { username, ...content } = readMessageBody<ExecuteWebhookBody>(EXECUTION_BODY, request);
      const { message } = await deps.chat.createWebhookMessage(
        { ...authorOf(webhook, username), ...content },
        { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
      );
      return { answer: { message: WAIT.has(request.wait) ? message : null } };
    });
  };
}

const WAIT: ReadonlySet<string | null | undefined> = new Set(['true', 'True', '1']);
