import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type {
  ListChannelWebhooksRequest,
  ListChannelWebhooksResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { findWebhooksIn } from '../store/webhooks.ts';
import { requireId } from '../webhooks/credential.ts';
import { loadWebhookView } from '../webhooks/load-webhook-view.ts';
import { authorizeManager } from '../webhooks/manager.ts';

export function listChannelWebhooks(
  deps: Deps,
): Handler<ListChannelWebhooksRequest, ListChannelWebhooksResponse> {
  return async ({ channel_id }, call) => {
    requireAccount(call.caller);
    requireId('channel_id', channel_id);
    await authorizeManager(deps, { channel_id }, call);
    const webhooks = await findWebhooksIn(deps.prisma, channel_id);
    const view = await loadWebhookView(deps, webhooks, call);
    return { webhooks: webhooks.map(view) };
  };
}
