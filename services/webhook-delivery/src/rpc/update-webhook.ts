import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateWebhookRequest, UpdateWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { requireCapacity } from '../webhooks/change-webhook.ts';
import { loadWebhookView } from '../webhooks/load-webhook-view.ts';
import { changeManagedWebhook, requireManagedWebhook } from '../webhooks/manager.ts';
import { readWebhookForm } from '../webhooks/webhook-form.ts';

export function updateWebhook(deps: Deps): Handler<UpdateWebhookRequest, UpdateWebhookResponse> {
  return async (message, call) => {
    const request = { ...message, changes: true };
    let managed = await requireManagedWebhook(deps, request, call);
    const view = await loadWebhookView(deps, [managed.webhook], call);
    const { name, avatar, channel_id } = request;
    const checkAgain = async () => {
      managed = await requireManagedWebhook(deps, request, call);
      const { guild_id, channel_id: from } = managed.webhook;
      if (channel_id != null && channel_id !== from)
        await requireCapacity(deps.db, { guild_id, channel_id }, 'move');
    };
    const { guild_id } = managed.webhook;
    const changes = await readWebhookForm(deps, { name, avatar }, call, checkAgain, { guild_id });
    const webhook = await changeManagedWebhook(deps, managed, request, call, (before) => ({
      ...before,
      ...changes,
      channel_id: channel_id ?? before.channel_id,
    }));
    return { webhook: view(webhook) };
  };
}
