import type { Handler } from '@gatehouse/kit/rpc';
import type {
  GetWebhookSettingsRequest,
  GetWebhookSettingsResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { keepsPayloads } from '../store/payloads.ts';
import { requireGuildManager } from '../webhooks/manager.ts';

export function getWebhookSettings(
  deps: Deps,
): Handler<GetWebhookSettingsRequest, GetWebhookSettingsResponse> {
  return async ({ guild_id }, call) => {
    await requireGuildManager(deps, guild_id, false, call);
    return { settings: { keep_payloads: await keepsPayloads(deps.db, guild_id) } };
  };
}
