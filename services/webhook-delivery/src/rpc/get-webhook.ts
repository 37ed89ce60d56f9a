import type { Handler } from '@gatehouse/kit/rpc';
import type { GetWebhookRequest, GetWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { requireManagedWebhook } from '../webhooks/manager.ts';
import { webhookView } from '../webhooks/webhook-view.ts';

export function getWebhook(deps: Deps): Handler<GetWebhookRequest, GetWebhookResponse> {
  return async (request, call) => {
    const { webhook } = await requireManagedWebhook(deps, request, call);
    const view = await webhookView(deps, [webhook], call);
    return { webhook: view(webhook) };
  };
}
