import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteStatuspageRequest, ExecuteStatuspageResponse } from '@gatehouse/proto/webhook-delivery';
import { postEvent } from '../deliveries/post-event.ts';
import type { Deps } from '../deps.ts';
import { renderStatuspage } from '../statuspage/render.ts';
import { withAuthenticatedWebhook } from '../webhooks/credential.ts';

const NOTIFICATION = { provider: 'statuspage', render: renderStatuspage } as const;

export function executeStatuspage(deps: Deps): Handler<ExecuteStatuspageRequest, ExecuteStatuspageResponse> {
  return async (request, call) => {
    const { content_type, body } = request;
    return withAuthenticatedWebhook(deps, request, (webhook) => {
      const execution = { dialect: 'statuspage', webhook, content_type, body, status: 204 } as const;
      return deps.executions.track(execution, () => postEvent(deps, webhook, NOTIFICATION, request, call));
    });
  };
}
