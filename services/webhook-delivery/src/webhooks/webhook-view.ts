import type { Call } from '@gatehouse/kit/rpc';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { tokenWebhook } from './webhook.ts';

const TIMEOUT_MS = 5_000;

/**
 * Prepares the view of webhooks for their managers, with the creators. One call reads all creators from auth. Call it
 * before any change, because auth may be unavailable.
 */
export async function webhookView(
  { auth, base_url }: Pick<Deps, 'auth' | 'base_url'>,
  creatorIds: readonly string[],
  call: Call,
): Promise<(webhook: WebhookRow) => Webhook> {
  const ids = [...new Set(creatorIds)];
  const { users } =
    ids.length === 0 ? { users: [] } : await auth.getUsers({ ids }, { parent: call, timeoutMs: TIMEOUT_MS });
  const byId = new Map(users.map((user) => [user.id, user]));
  return (webhook) => ({ ...tokenWebhook(webhook, base_url), user: byId.get(webhook.creator_id) ?? null });
}
