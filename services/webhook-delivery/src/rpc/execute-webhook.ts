import { parseObject, readJson, requireValid } from '@gatehouse/kit/json';
import type { Handler } from '@gatehouse/kit/rpc';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import type {
  ExecuteWebhookBody,
  ExecuteWebhookRequest,
  ExecuteWebhookResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { tooManyEmbeds } from '../errors.ts';
import { POST_TIMEOUT_MS, postingAs } from '../execution/execution.ts';
import { refuseMultipart } from '../execution/payload.ts';
import { openWebhook } from '../webhooks/credential.ts';

export function executeWebhook(deps: Deps): Handler<ExecuteWebhookRequest, ExecuteWebhookResponse> {
  return async (request, call) => {
    const webhook = await openWebhook(deps.findWebhookBatched, request);
    const { webhook_id, content_type, body } = request;
    return deps.explained({ dialect: 'webhook', webhook_id, content_type }, async () => {
      refuseMultipart(content_type);
      const { content, embeds, flags, username, allowed_mentions } = readBody(body);
      const { message } = await deps.chat.createWebhookMessage(
        { ...postingAs(webhook, username), content, embeds, flags, allowed_mentions },
        { within: call, timeoutMs: POST_TIMEOUT_MS },
      );
      return { answer: { message: WAIT.has(request.wait) ? message : null } };
    });
  };
}

const WAIT: ReadonlySet<string | null | undefined> = new Set(['true', 'True', '1']);

/** Checks the types of the JSON. Chat checks name, text, embeds and mentions, all of them together. */
function readBody(bytes: Uint8Array): ExecuteWebhookBody {
  const json = parseObject(bytes);
  // Chat's limit, applied early: a megabyte of embeds is not worth parsing.
  if (Array.isArray(json.embeds) && json.embeds.length > EMBED_LIMITS.embeds) throw tooManyEmbeds();
  return requireValid(readJson<ExecuteWebhookBody>(BODY, json));
}

const BODY = 'gatehouse.webhook_delivery.v1.ExecuteWebhookBody';
