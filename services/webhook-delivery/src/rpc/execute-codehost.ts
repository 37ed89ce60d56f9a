import { createHash } from 'node:crypto';
import { Fault, Status } from '@gatehouse/kit/fault';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { EmbedInput } from '@gatehouse/proto/chat';
import type { ExecuteCodehostRequest, ExecuteCodehostResponse } from '@gatehouse/proto/webhook-delivery';
import { renderCodehost } from '../codehost/render.ts';
import type { Deps } from '../deps.ts';
import { NO_MENTIONS, POST_TIMEOUT_MS } from '../execution/execution.ts';
import { readPayload, refuseMultipart } from '../execution/payload.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { openWebhook } from '../webhooks/credential.ts';

const DISPLAY_NAME = 'Code host';

export function executeCodehost(deps: Deps): Handler<ExecuteCodehostRequest, ExecuteCodehostResponse> {
  return async (request, call) => {
    const webhook = await openWebhook(deps.findWebhookBatched, request);
    refuseMultipart(request.content_type);
    const payload = readPayload(request.content_type, request.body);
    if (payload === undefined) return {};
    const rendering = renderCodehost(request.event, payload);
    if ('message' in rendering)
      await post(deps, webhook, rendering.message, deliveryKey(request.delivery), call);
    return {};
  };
}

async function post(
  { chat }: Deps,
  webhook: WebhookRow,
  embed: EmbedInput,
  deduplication_key: string | null,
  call: Call,
): Promise<void> {
  const { id: webhook_id, channel_id } = webhook;
  const what = { embeds: [embed], allowed_mentions: NO_MENTIONS, deduplication_key };
  try {
    await chat.createWebhookMessage(
      { webhook_id, channel_id, username: DISPLAY_NAME, ...what },
      { within: call, timeoutMs: POST_TIMEOUT_MS },
    );
  } catch (error) {
    // The code host gets an error when the channel is gone or a service is down. When its event cannot be
    // shown it gets none: it could do nothing about that (docs/webhooks.md#always-204).
    if (!(error instanceof Fault) || error.status !== Status.INVALID_ARGUMENT) throw error;
    call.log.error({ webhook_id, violations: error.violations }, 'chat refused the embed of an event');
  }
}

/** A longer identifier than code hosts send is replaced by its digest, because chat indexes the key. */
function deliveryKey(delivery: string | null | undefined): string | null {
  const key = delivery?.trim() ?? '';
  if (key === '') return null;
  return key.length <= 128 ? key : createHash('sha256').update(key).digest('hex');
}
