import type { Handler } from '@gatehouse/kit/rpc';
import type {
  GetAdminWebhookRequest,
  GetAdminWebhookResponse,
} from '@gatehouse/proto/webhook-delivery-admin';
import { adminWebhookView } from '../../admin/admin-webhook-view.ts';
import type { Deps } from '../../deps.ts';
import { noSuchWebhook } from '../../errors.ts';
import { findAdminWebhook } from '../../store/admin-webhooks.ts';
import { countOutcomes } from '../../store/outcome-counts.ts';
import { requireId } from '../../webhooks/credential.ts';

export function getAdminWebhook({ db }: Deps): Handler<GetAdminWebhookRequest, GetAdminWebhookResponse> {
  return async ({ webhook_id }) => {
    requireId('webhook_id', webhook_id);
    const [webhook, outcomes] = await Promise.all([
      findAdminWebhook(db, webhook_id),
      countOutcomes(db, webhook_id),
    ]);
    if (webhook === undefined) throw noSuchWebhook();
    return { webhook: adminWebhookView(webhook), outcomes };
  };
}
