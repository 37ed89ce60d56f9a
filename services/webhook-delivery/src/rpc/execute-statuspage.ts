import type { Handler } from '@gatehouse/kit/rpc';
import type { EmbedInput } from '@gatehouse/proto/chat';
import type { ExecuteStatuspageRequest, ExecuteStatuspageResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { readPayload, refuseMultipart } from '../execution/payload.ts';
import { postEmbed } from '../execution/post-embed.ts';
import type { Rendering } from '../execution/rendering.ts';
import { renderStatuspage } from '../statuspage/render.ts';
import { openWebhook } from '../webhooks/credential.ts';

const DISPLAY_NAME = 'Status page';

export function executeStatuspage(deps: Deps): Handler<ExecuteStatuspageRequest, ExecuteStatuspageResponse> {
  return async (request, call) => {
    const webhook = await openWebhook(deps.findWebhookBatched, request);
    refuseMultipart(request.content_type);
    const payload = readPayload(request.content_type, request.body);
    const rendering: Rendering<EmbedInput> =
      payload === undefined ? { nothing: 'broken_body' } : renderStatuspage(payload);
    if ('message' in rendering) await postEmbed(deps, webhook, DISPLAY_NAME, rendering.message, call);
    return {};
  };
}
