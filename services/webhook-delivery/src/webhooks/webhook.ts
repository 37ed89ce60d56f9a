import type { TokenWebhook } from '@gatehouse/proto/webhook-delivery';

/** Most code points of a name that a webhook posts under, after trimming. */
export const NAME_LIMIT = 80;
/** How many webhooks there can be (docs/webhooks.md#counts). */
export const MAX_PER_CHANNEL = 15;
export const MAX_PER_GUILD = 1000;

/** A webhook as the holder of its token sees it. */
export function tokenWebhook({ id, guild_id, channel_id, name, avatar, token }: TokenWebhook): TokenWebhook {
  return { id, guild_id, channel_id, name, avatar, token };
}
