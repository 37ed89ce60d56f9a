import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteStatuspageRequest, ExecuteStatuspageResponse } from '@gatehouse/proto/webhook-delivery';
import { postEvent } from '../deliveries/post-event.ts';
import type { Deps } from '../deps.ts';
import { renderStatuspage } from '../statuspage/render.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';

export function executeStatuspage(deps: Deps): Handler<ExecuteStatuspageRequest, ExecuteStatuspageResponse> {
  return async (request, call) => {
    const webhook = await authenticateWebhook(deps, request);
    const { content_type, body } = request;
    const notification = { provider: 'statuspage', render: renderStatuspage } as const;
    const execution = { dialect: 'statuspage', webhook, content_type, body, status: 204 } as const;
    return deps.executions.track(execution, () => postEvent(deps, webhook, notification, request, call));
  };
}
