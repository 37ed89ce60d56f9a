import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteWebhookRequest, ExecuteWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import { postMessage } from '../deliveries/post-payload.ts';
import type { Deps } from '../deps.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';

export function executeWebhook(deps: Deps): Handler<ExecuteWebhookRequest, ExecuteWebhookResponse> {
  return async (request, call) => {
    const webhook = await authenticateWebhook(deps, request);
    const { content_type, body } = request;
    const waits = WAIT.has(request.wait);
    const execution = { dialect: 'webhook', webhook, content_type, body, status: waits ? 200 : 204 } as const;
    const message = await deps.executions.track(execution, () => postMessage(deps, webhook, request, call));
    return { message: waits ? message : null };
  };
}

const WAIT: ReadonlySet<string | null | undefined> = new Set(['true', 'True', '1']);
