import type { CreateWebhookMessageRequest } from '@gatehouse/proto/chat';
import type { WebhookRow } from '../store/webhooks.ts';

/** How long chat may take to post, return, change or delete a message. */
export const MESSAGE_TIMEOUT_MS = 5_000;

type Identity = Pick<CreateWebhookMessageRequest, 'webhook_id' | 'channel_id' | 'username' | 'avatar'>;

/** The channel, name and avatar that a webhook posts with. `username` replaces its own name. */
export function postingAs(webhook: WebhookRow, username: string | null | undefined): Identity {
  return {
    webhook_id: webhook.id,
    channel_id: webhook.channel_id,
    username: username ?? webhook.name,
    avatar: webhook.avatar,
  };
}

/** The message notifies no account and no role. */
export const NO_MENTIONS = { parse: [], users: [], roles: [] };
