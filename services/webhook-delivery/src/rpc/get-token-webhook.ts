import type { Handler } from '@gatehouse/kit/rpc';
import type { GetTokenWebhookRequest, GetTokenWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { findWebhook } from '../store/webhooks.ts';
import { openWebhook } from '../webhooks/credential.ts';
import { tokenWebhook } from '../webhooks/webhook.ts';

export function getTokenWebhook({
  prisma,
  base_url,
}: Deps): Handler<GetTokenWebhookRequest, GetTokenWebhookResponse> {
  return async (request) => {
    const webhook = await openWebhook((id) => findWebhook(prisma, id), request);
    return { webhook: tokenWebhook(webhook, base_url) };
  };
}
