import type { Handler } from '@gatehouse/kit/rpc';
import type { EnableWebhookRequest, EnableWebhookResponse } from '@gatehouse/proto/webhook-delivery-admin';
import { adminWebhookView } from '../../admin/admin-webhook-view.ts';
import { changeAdminWebhook } from '../../admin/change-admin-webhook.ts';
import type { Deps } from '../../deps.ts';
import { enableWebhookRow } from '../../store/admin-webhooks.ts';

export function enableWebhook({ db }: Deps): Handler<EnableWebhookRequest, EnableWebhookResponse> {
  return async (request) => {
    const { before, after } = await changeAdminWebhook(db, request, async (tx) => ({
      row: await enableWebhookRow(tx, request.webhook_id),
      result: undefined,
    }));
    return { before: adminWebhookView(before), after: adminWebhookView(after) };
  };
}
