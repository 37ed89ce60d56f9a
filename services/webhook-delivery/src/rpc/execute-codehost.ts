import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteCodehostRequest, ExecuteCodehostResponse } from '@gatehouse/proto/webhook-delivery';
import { renderCodehost } from '../codehost/render.ts';
import { nothingToPost, postEmbed } from '../deliveries/post-embed.ts';
import type { Deps } from '../deps.ts';
import { readPayload, refuseMultipart } from '../execution/payload.ts';
import { openWebhook } from '../webhooks/credential.ts';

export function executeCodehost(deps: Deps): Handler<ExecuteCodehostRequest, ExecuteCodehostResponse> {
  return async (request, call) => {
    const webhook = await openWebhook(deps, request);
    const { webhook_id, content_type, event, body } = request;
    return deps.executions.track({ dialect: 'codehost', webhook_id, content_type, event }, async () => {
      refuseMultipart(content_type);
      const payload = readPayload(content_type, body);
      if (payload === undefined) return nothingToPost('broken_body');
      const rendering = renderCodehost(event, payload);
      if ('nothing' in rendering) return nothingToPost(rendering.nothing);
      const deduplication_key = request.delivery?.trim() || null;
      const posted = { embed: rendering.message, provider: 'codehost', deduplication_key } as const;
      return postEmbed(deps, webhook, posted, call);
    });
  };
}
