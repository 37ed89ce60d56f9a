import type { Call } from '@gatehouse/kit/rpc';
import type { Webhook } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { tokenWebhook } from './webhook.ts';

const TIMEOUT_MS = 5_000;

/**
 * Shows webhooks to who manages them, with their creators. Auth is asked once for all of them, and before anything is
 * changed, as it may be away.
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
