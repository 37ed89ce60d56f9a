import type { CreateWebhookMessageRequest } from '@gatehouse/proto/chat';
import type { WebhookRow } from '../store/webhooks.ts';

/** How long chat may take over one message. */
export const POST_TIMEOUT_MS = 5_000;

type Identity = Pick<CreateWebhookMessageRequest, 'webhook_id' | 'channel_id' | 'username' | 'avatar'>;

/** As whom and where a webhook posts, under its own name or another for this message. */
export function postingAs(webhook: WebhookRow, username: string | null | undefined): Identity {
  return {
    webhook_id: webhook.id,
    channel_id: webhook.channel_id,
    username: username ?? webhook.name,
    avatar: webhook.avatar,
  };
}

/** Nobody is notified, whatever the text names. */
export const NO_MENTIONS = { parse: [], users: [], roles: [] };
