import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteWebhookRequest, ExecuteWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import { postMessage } from '../deliveries/post-payload.ts';
import type { Deps } from '../deps.ts';
import { withAuthenticatedWebhook } from '../webhooks/credential.ts';

export function executeWebhook(deps: Deps): Handler<ExecuteWebhookRequest, ExecuteWebhookResponse> {
  return async (request, call) => {
    const { content_type, body } = request;
    const waits = WAIT.has(request.wait);
    const status = waits ? 200 : 204;
    const message = await withAuthenticatedWebhook(deps, request, (webhook) => {
      const execution = { dialect: 'webhook', webhook, content_type, body, status } as const;
      return deps.executions.track(execution, () => postMessage(deps, webhook, request, call));
    });
    return { message: waits ? message : null };
  };
}

const WAIT: ReadonlySet<string | null | undefined> = new Set(['true', 'True', '1']);
