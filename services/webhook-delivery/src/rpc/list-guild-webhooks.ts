import { requireAccount } from '@gatehouse/kit/caller';
import { waitForMemory } from '@gatehouse/kit/long-answers';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListGuildWebhooksRequest, ListGuildWebhooksResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { countGuildWebhooks, findGuildWebhooks } from '../store/webhooks.ts';
import { requireId } from '../webhooks/credential.ts';
import { loadWebhookView } from '../webhooks/load-webhook-view.ts';

const LIST_CHANNELS_TIMEOUT_MS = 5_000;
/** Size of a webhook with its creator, as rows and in the answer. */
const WEBHOOK_BYTES = 4 * 1024;

export function listGuildWebhooks(deps: Deps): Handler<ListGuildWebhooksRequest, ListGuildWebhooksResponse> {
  return async ({ guild_id }, call) => {
    requireAccount(call.caller);
    requireId('guild_id', guild_id);
    const options = { parent: call, timeoutMs: LIST_CHANNELS_TIMEOUT_MS };
    const { channel_ids } = await deps.chat.listWebhookChannels({ guild_id }, options);
    await waitForMemory(
      deps.longAnswers,
      WEBHOOK_BYTES * (await countGuildWebhooks(deps.prisma, guild_id)),
      call,
    );
    const webhooks = await findGuildWebhooks(deps.db, guild_id, channel_ids);
    const view = await loadWebhookView(deps, webhooks, call);
    return { webhooks: webhooks.map(view) };
  };
}
