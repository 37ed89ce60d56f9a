import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteChatcompatRequest, ExecuteChatcompatResponse } from '@gatehouse/proto/webhook-delivery';
import { postChatcompat } from '../deliveries/post-payload.ts';
import type { Deps } from '../deps.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';

export function executeChatcompat(deps: Deps): Handler<ExecuteChatcompatRequest, ExecuteChatcompatResponse> {
  return async (request, call) => {
    const webhook = await authenticateWebhook(deps, request);
    const { content_type, body } = request;
    const execution = { dialect: 'chatcompat', webhook, content_type, body, status: 200 } as const;
    await deps.executions.track(execution, () => postChatcompat(deps, webhook, request, call));
    return {};
  };
}
