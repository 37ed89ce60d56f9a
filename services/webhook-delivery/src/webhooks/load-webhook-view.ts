import type { Call } from '@gatehouse/kit/rpc';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { tokenWebhook } from './webhook.ts';

const CREATORS_TIMEOUT_MS = 5_000;

/**
 * Reads the creators of webhooks, in one call to auth, and returns the function that shows a webhook to its managers.
 * Call it before any change, because auth may be unavailable.
 */
export async function loadWebhookView(
  { auth, base_url }: Pick<Deps, 'auth' | 'base_url'>,
  webhooks: readonly Pick<WebhookRow, 'creator_id'>[],
  call: Call,
): Promise<(webhook: WebhookRow) => Webhook> {
  const ids = [...new Set(webhooks.map(({ creator_id }) => creator_id))];
  const { users } =
    ids.length === 0
      ? { users: [] }
      : await auth.getUsers({ ids }, { parent: call, timeoutMs: CREATORS_TIMEOUT_MS });
  const byId = new Map(users.map((user) => [user.id, user]));
  return (webhook) => ({ ...tokenWebhook(webhook, base_url), user: byId.get(webhook.creator_id) ?? null });
}
