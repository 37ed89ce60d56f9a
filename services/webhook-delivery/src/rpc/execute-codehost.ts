import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteCodehostRequest, ExecuteCodehostResponse } from '@gatehouse/proto/webhook-delivery';
import { renderCodehost } from '../codehost/render.ts';
import { type ProviderEvent, postEvent } from '../deliveries/post-event.ts';
import type { Deps } from '../deps.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';

export function executeCodehost(deps: Deps): Handler<ExecuteCodehostRequest, ExecuteCodehostResponse> {
  return async (request, call) => {
    const webhook = await authenticateWebhook(deps, request);
    const { webhook_id, content_type, event } = request;
    const codehostEvent: ProviderEvent = {
      provider: 'codehost',
      render: (payload) => renderCodehost(event, payload),
      deduplication_key: request.delivery?.trim() || null,
    };
    return deps.executions.track({ dialect: 'codehost', webhook_id, content_type, event }, () =>
      postEvent(deps, webhook, codehostEvent, request, call),
    );
  };
}
