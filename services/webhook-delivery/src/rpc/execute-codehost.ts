import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteCodehostRequest, ExecuteCodehostResponse } from '@gatehouse/proto/webhook-delivery';
import { postCodehost } from '../deliveries/post-payload.ts';
import type { Deps } from '../deps.ts';
import { withAuthenticatedWebhook } from '../webhooks/credential.ts';

export function executeCodehost(deps: Deps): Handler<ExecuteCodehostRequest, ExecuteCodehostResponse> {
  return async (request, call) => {
    const { content_type, event, body } = request;
    return withAuthenticatedWebhook(deps, request, (webhook) => {
      const execution = { dialect: 'codehost', webhook, content_type, event, body, status: 204 } as const;
      return deps.executions.track(execution, () => postCodehost(deps, webhook, request, call));
    });
  };
}
