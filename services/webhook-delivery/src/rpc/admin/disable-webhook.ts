import type { Handler } from '@gatehouse/kit/rpc';
import type { DisableWebhookRequest, DisableWebhookResponse } from '@gatehouse/proto/webhook-delivery-admin';
import { adminWebhookView } from '../../admin/admin-webhook-view.ts';
import { changeAdminWebhook } from '../../admin/change-admin-webhook.ts';
import type { Deps } from '../../deps.ts';
import { disableWebhookRow } from '../../store/admin-webhooks.ts';
import { advanceExecutionFence } from '../../store/execution-fence.ts';
import { fenceGuilds } from '../../webhooks/fence-guilds.ts';

/**
 * After the commit, no look-up finds the webhook's token; after the fence, chat takes no message of an earlier look-up. If
 * chat is unavailable, the webhook is disabled, and the operator repeats the call for its guarantee.
 */
export function disableWebhook(deps: Deps): Handler<DisableWebhookRequest, DisableWebhookResponse> {
  return async (request, call) => {
    const { before, after, result } = await changeAdminWebhook(deps.db, request, async (tx, action) => {
      const row = await disableWebhookRow(tx, request.webhook_id, action);
      return { row, result: await advanceExecutionFence(tx) };
    });
    await fenceGuilds(deps, [after.guild_id], result, call);
    return { before: adminWebhookView(before), after: adminWebhookView(after) };
  };
}
