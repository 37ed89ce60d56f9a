import type { Handler } from '@gatehouse/kit/rpc';
import type { GetTokenWebhookRequest, GetTokenWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';
import { tokenWebhook } from '../webhooks/webhook.ts';

export function getTokenWebhook(deps: Deps): Handler<GetTokenWebhookRequest, GetTokenWebhookResponse> {
  return async (request) => {
    const webhook = await authenticateWebhook(deps, request);
    return { webhook: tokenWebhook(webhook, deps.base_url) };
  };
}
