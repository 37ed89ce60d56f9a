import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteWebhookRequest, DeleteWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { changeManagedWebhook, requireManagedWebhook } from '../webhooks/manager.ts';

export function deleteWebhook(deps: Deps): Handler<DeleteWebhookRequest, DeleteWebhookResponse> {
  return async (message, call) => {
    const request = { ...message, changes: true };
    const managed = await requireManagedWebhook(deps, request, call);
    await changeManagedWebhook(deps, managed, request, call, () => undefined);
    return {};
  };
}
