import type { TokenWebhook } from '@gatehouse/proto/webhook-delivery';
import type { WebhookRow } from '../store/webhooks.ts';

/** Maximum code points of a webhook's name, after trimming. */
export const NAME_LIMIT = 80;
/** Maximum numbers of webhooks (docs/webhooks.md#counts). */
export const MAX_PER_CHANNEL = 15;
export const MAX_PER_GUILD = 1000;

/** The type number of incoming webhooks, for clients that know other types. */
const INCOMING = 1;

/** A webhook as shown to a holder of its token. */
export function tokenWebhook(
  { id, guild_id, channel_id, name, avatar, token }: WebhookRow,
  base_url: string,
): TokenWebhook {
  const url = `${base_url}/api/v1/webhooks/${id}/${token}`;
  return { id, type: INCOMING, guild_id, channel_id, name, avatar, token, application_id: null, url };
}
