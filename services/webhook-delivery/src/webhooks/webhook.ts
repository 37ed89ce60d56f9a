import type { TokenWebhook } from '@gatehouse/proto/webhook-delivery';
import type { WebhookRow } from '../store/webhooks.ts';

/** Most code points of a name that a webhook posts under, after trimming. */
export const NAME_LIMIT = 80;
/** How many webhooks there can be (docs/webhooks.md#counts). */
export const MAX_PER_CHANNEL = 15;
export const MAX_PER_GUILD = 1000;

/** Clients of such APIs know webhooks of other types too. */
const INCOMING = 1;

/** A webhook as the holder of its token sees it. */
export function tokenWebhook(
  { id, guild_id, channel_id, name, avatar, token }: WebhookRow,
  base_url: string,
): TokenWebhook {
  const url = `${base_url}/api/v1/webhooks/${id}/${token}`;
  return { id, type: INCOMING, guild_id, channel_id, name, avatar, token, application_id: null, url };
}
