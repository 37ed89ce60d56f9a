import type { CreateWebhookMessageRequest } from '@gatehouse/proto/chat';
import type { ExecutedWebhook } from '../store/webhooks.ts';

/** Timeout of chat's RPCs for messages of webhooks. */
export const MESSAGE_TIMEOUT_MS = 5_000;

type MessageAuthor = Pick<
  CreateWebhookMessageRequest,
  'webhook_id' | 'channel_id' | 'username' | 'avatar' | 'fence'
>;

/**
 * The author of a webhook's message, its channel, and the fence at the check of the credential. `username` overrides the
 * webhook's name.
 */
export function authorOf(webhook: ExecutedWebhook, username: string | null | undefined): MessageAuthor {
  return {
    webhook_id: webhook.id,
    channel_id: webhook.channel_id,
    username: username ?? webhook.name,
    avatar: webhook.avatar,
    fence: webhook.fence,
  };
}

export const NO_MENTIONS = { parse: [], users: [], roles: [] };
