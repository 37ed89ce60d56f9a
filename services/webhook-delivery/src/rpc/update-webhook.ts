import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateWebhookRequest, UpdateWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { changeManaged, requireManaged } from '../webhooks/manager.ts';
import { readWebhookForm } from '../webhooks/webhook-form.ts';
import { webhookView } from '../webhooks/webhook-view.ts';

export function updateWebhook(deps: Deps): Handler<UpdateWebhookRequest, UpdateWebhookResponse> {
  return async (request, call) => {
    const managed = await requireManaged(deps, request, call);
    const view = await webhookView(deps, [managed.webhook.creator_id], call);
    const { name, avatar, channel_id } = request;
    const changes = await readWebhookForm(deps, { name, avatar }, call);
    const webhook = await changeManaged(deps, managed, request, call, (before) => ({
      ...before,
      ...changes,
      channel_id: channel_id ?? before.channel_id,
    }));
    return { webhook: view(webhook) };
  };
}
