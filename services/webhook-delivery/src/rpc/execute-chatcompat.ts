import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteChatcompatRequest, ExecuteChatcompatResponse } from '@gatehouse/proto/webhook-delivery';
import { readChatcompat } from '../chatcompat/read-chatcompat.ts';
import type { Deps } from '../deps.ts';
import { authorOf, MESSAGE_TIMEOUT_MS, NO_MENTIONS } from '../execution/message-author.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';

export function executeChatcompat(deps: Deps): Handler<ExecuteChatcompatRequest, ExecuteChatcompatResponse> {
  return async (request, call) => {
    const webhook = await authenticateWebhook(deps, request);
    const { webhook_id, content_type } = request;
    return deps.executions.track({ dialect: 'chatcompat', webhook_id, content_type }, async () => {
      const { username, content, embeds } = readChatcompat(request);
      await deps.chat.createWebhookMessage(
        { ...authorOf(webhook, username), content, embeds, allowed_mentions: NO_MENTIONS },
        { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
      );
      return { answer: {} };
    });
  };
}
