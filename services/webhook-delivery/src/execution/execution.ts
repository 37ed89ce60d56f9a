import type { CreateWebhookMessageRequest } from '@gatehouse/proto/chat';
import type { WebhookRow } from '../store/webhooks.ts';

/** Timeout of chat for posting, returning, changing or deleting a message. */
export const MESSAGE_TIMEOUT_MS = 5_000;

type Identity = Pick<CreateWebhookMessageRequest, 'webhook_id' | 'channel_id' | 'username' | 'avatar'>;

/** The channel, name and avatar of a webhook's message. `username` overrides the webhook's name. */
export function postingAs(webhook: WebhookRow, username: string | null | undefined): Identity {
  return {
    webhook_id: webhook.id,
    channel_id: webhook.channel_id,
    username: username ?? webhook.name,
    avatar: webhook.avatar,
  };
}

/** Mentions nobody. */
export const NO_MENTIONS = { parse: [], users: [], roles: [] };
