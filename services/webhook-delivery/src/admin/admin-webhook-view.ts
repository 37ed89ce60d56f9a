import type { AdminWebhook } from '@gatehouse/proto/webhook-delivery-admin';
import type { AdminWebhookRow } from '../store/admin-webhooks.ts';

/** A webhook as operators see it. */
export function adminWebhookView(row: AdminWebhookRow): AdminWebhook {
  const { id, guild_id, channel_id, creator_id, name, creator_suspended } = row;
  const { disabled_at, disabled_by, disabled_reason } = row;
  const disablement = disabled_at && {
    at_ms: disabled_at.getTime(),
    operator: disabled_by ?? '',
    reason: disabled_reason ?? '',
  };
  return { id, guild_id, channel_id, creator_id, name, disablement, creator_suspended };
}
