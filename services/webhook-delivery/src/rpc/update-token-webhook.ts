import { parseObject, readJson, requireValid } from '@gatehouse/kit/json';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  UpdateTokenWebhookBody,
  UpdateTokenWebhookRequest,
  UpdateTokenWebhookResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { noMoveByToken } from '../errors.ts';
import { refuseMultipart } from '../execution/payload.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';
import { tokenWebhook } from '../webhooks/webhook.ts';
import { readWebhookForm } from '../webhooks/webhook-form.ts';

export function updateTokenWebhook(
  deps: Deps,
): Handler<UpdateTokenWebhookRequest, UpdateTokenWebhookResponse> {
  return async (request, call) => {
    const authenticate = () => authenticateWebhook(deps, request);
    const { id, guild_id } = await authenticate();
    refuseMultipart(request.content_type);
    const body = readBody(request.body);
    // No account sends the picture, so it counts against the daily limit of the webhook.
    const changes = await readWebhookForm(deps, body, call, authenticate, { guild_id, sender: id });
    const webhook = await changeWebhook(deps, id, undefined, (before) => ({ ...before, ...changes }));
    return { webhook: tokenWebhook(webhook, deps.base_url) };
  };
}

function readBody(bytes: Uint8Array): UpdateTokenWebhookBody {
  const json = parseObject(bytes);
  if (Object.hasOwn(json, 'channel_id')) throw noMoveByToken();
  return requireValid(readJson<UpdateTokenWebhookBody>(UPDATE_BODY, json));
}

const UPDATE_BODY = 'gatehouse.webhook_delivery.v1.UpdateTokenWebhookBody';
