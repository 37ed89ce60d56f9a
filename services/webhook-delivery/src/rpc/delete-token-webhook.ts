import type { Handler } from '@gatehouse/kit/rpc';
import type {
  DeleteTokenWebhookRequest,
  DeleteTokenWebhookResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { changeWebhook } from '../webhooks/change-webhook.ts';
import { authenticateWebhook } from '../webhooks/credential.ts';

export function deleteTokenWebhook(
  deps: Deps,
): Handler<DeleteTokenWebhookRequest, DeleteTokenWebhookResponse> {
  return async (request) => {
    const { id } = await authenticateWebhook(deps, request);
    await changeWebhook(deps, id, undefined, () => undefined);
    return {};
  };
}
