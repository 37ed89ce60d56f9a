import type { Handler } from '@gatehouse/kit/rpc';
import type { GetWebhookRequest, GetWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { loadWebhookView } from '../webhooks/load-webhook-view.ts';
import { requireManagedWebhook } from '../webhooks/manager.ts';

export function getWebhook(deps: Deps): Handler<GetWebhookRequest, GetWebhookResponse> {
  return async (request, call) => {
    const { webhook } = await requireManagedWebhook(deps, request, call);
    const view = await loadWebhookView(deps, [webhook], call);
    return { webhook: view(webhook) };
  };
}
