import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteChatcompatRequest, ExecuteChatcompatResponse } from '@gatehouse/proto/webhook-delivery';
import { postChatcompat } from '../deliveries/post-payload.ts';
import type { Deps } from '../deps.ts';
import { withAuthenticatedWebhook } from '../webhooks/credential.ts';

export function executeChatcompat(deps: Deps): Handler<ExecuteChatcompatRequest, ExecuteChatcompatResponse> {
  return async (request, call) => {
    const { content_type, body } = request;
    await withAuthenticatedWebhook(deps, request, (webhook) => {
      const execution = { dialect: 'chatcompat', webhook, content_type, body, status: 200 } as const;
      return deps.executions.track(execution, () => postChatcompat(deps, webhook, request, call));
    });
    return {};
  };
}
