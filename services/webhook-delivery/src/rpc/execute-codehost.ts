import { createHash } from 'node:crypto';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ExecuteCodehostRequest, ExecuteCodehostResponse } from '@gatehouse/proto/webhook-delivery';
import { renderCodehost } from '../codehost/render.ts';
import type { Deps } from '../deps.ts';
import { readPayload, refuseMultipart } from '../execution/payload.ts';
import { nothingToPost, postEmbed } from '../execution/post-embed.ts';
import { openWebhook } from '../webhooks/credential.ts';

export function executeCodehost(deps: Deps): Handler<ExecuteCodehostRequest, ExecuteCodehostResponse> {
  return async (request, call) => {
    const webhook = await openWebhook(deps.findWebhookBatched, request);
    const { webhook_id, content_type, event, body } = request;
    return deps.trackExecution({ dialect: 'codehost', webhook_id, content_type, event }, async () => {
      refuseMultipart(content_type);
      const payload = readPayload(content_type, body);
      if (payload === undefined) return nothingToPost('broken_body');
      const rendering = renderCodehost(event, payload);
      if ('nothing' in rendering) return nothingToPost(rendering.nothing);
      const deduplication_key = deliveryKey(request.delivery);
      return postEmbed(
        deps,
        webhook,
        { embed: rendering.message, provider: 'codehost', deduplication_key },
        call,
      );
    });
  };
}

/** A longer identifier than code hosts send is replaced by its digest, because chat indexes the key. */
function deliveryKey(delivery: string | null | undefined): string | null {
  const key = delivery?.trim() ?? '';
  if (key === '') return null;
  return key.length <= 128 ? key : createHash('sha256').update(key).digest('hex');
}
