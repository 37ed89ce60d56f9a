import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteWebhookRequest, DeleteWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { changeManaged, requireManaged } from '../webhooks/manager.ts';

export function deleteWebhook(deps: Deps): Handler<DeleteWebhookRequest, DeleteWebhookResponse> {
  return async (request, call) => {
    const managed = await requireManaged(deps, request, call);
    await changeManaged(deps, managed, request, call, () => undefined);
    return {};
  };
}
