import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteChatcompatRequest, ExecuteChatcompatResponse } from '@gatehouse/proto/webhook-delivery';
import { renderChatcompat } from '../chatcompat/render.ts';
import type { Deps } from '../deps.ts';
import { brokenPayload, emptyPayload } from '../errors.ts';
import { MESSAGE_TIMEOUT_MS, NO_MENTIONS, postingAs } from '../execution/execution.ts';
import { readPayload, refuseMultipart } from '../execution/payload.ts';
import { openWebhook } from '../webhooks/credential.ts';

export function executeChatcompat(deps: Deps): Handler<ExecuteChatcompatRequest, ExecuteChatcompatResponse> {
  return async (request, call) => {
    const webhook = await openWebhook(deps, request);
    const { webhook_id, content_type, body } = request;
    return deps.executions.track({ dialect: 'chatcompat', webhook_id, content_type }, async () => {
      refuseMultipart(content_type);
      const payload = readPayload(content_type, body);
      if (payload === undefined) throw brokenPayload();
      const rendering = renderChatcompat(payload);
      if ('nothing' in rendering) throw emptyPayload();
      const { username, content, embeds } = rendering.message;
      await deps.chat.createWebhookMessage(
        { ...postingAs(webhook, username), content, embeds, allowed_mentions: NO_MENTIONS },
        { parent: call, timeoutMs: MESSAGE_TIMEOUT_MS },
      );
      return { answer: {} };
    });
  };
}
