import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateWebhookRequest, CreateWebhookResponse } from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { addWebhook, requireCapacity } from '../webhooks/change-webhook.ts';
import { requireId } from '../webhooks/credential.ts';
import { loadWebhookView } from '../webhooks/load-webhook-view.ts';
import { authorizeManager } from '../webhooks/manager.ts';
import { newToken } from '../webhooks/token.ts';
import { readWebhookForm } from '../webhooks/webhook-form.ts';

export function createWebhook(deps: Deps): Handler<CreateWebhookRequest, CreateWebhookResponse> {
  return async (request, call) => {
    const { channel_id, name, avatar, reason = null } = request;
    requireAccount(call.caller);
    requireId('channel_id', channel_id);
    const authorize = () => authorizeManager(deps, { channel_id, reason, changes: true }, call);
    const { guild_id, actor } = await authorize();
    const creator_id = actor.account_id;
    const view = await loadWebhookView(deps, [{ creator_id }], call);
    const form = { name: name ?? '', avatar: avatar == null ? null : { value: avatar } };
    const checkAgain = async () => {
      await authorize();
      await requireCapacity(deps.db, { guild_id, channel_id }, 'create');
    };
    const changes = await readWebhookForm(deps, form, call, checkAgain, { guild_id });
    const webhook = {
      id: deps.ids(),
      guild_id,
      channel_id,
      name: '',
      avatar: null,
      ...changes,
      token: newToken(),
      creator_id,
    };
    await addWebhook(deps, webhook, actor);
    return { webhook: view(webhook) };
  };
}
