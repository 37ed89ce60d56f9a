import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteStatuspageRequest, ExecuteStatuspageResponse } from '@gatehouse/proto/webhook-delivery';
import { nothingToPost, postEmbed } from '../deliveries/post-embed.ts';
import type { Deps } from '../deps.ts';
import { readPayload, refuseMultipart } from '../execution/payload.ts';
import { renderStatuspage } from '../statuspage/render.ts';
import { openWebhook } from '../webhooks/credential.ts';

export function executeStatuspage(deps: Deps): Handler<ExecuteStatuspageRequest, ExecuteStatuspageResponse> {
  return async (request, call) => {
    const webhook = await openWebhook(deps, request);
    const { webhook_id, content_type, body } = request;
    return deps.executions.track({ dialect: 'statuspage', webhook_id, content_type }, async () => {
      refuseMultipart(content_type);
      const payload = readPayload(content_type, body);
      if (payload === undefined) return nothingToPost('broken_body');
      const rendering = renderStatuspage(payload);
      if ('nothing' in rendering) return nothingToPost(rendering.nothing);
      return postEmbed(deps, webhook, { embed: rendering.message, provider: 'statuspage' }, call);
    });
  };
}
