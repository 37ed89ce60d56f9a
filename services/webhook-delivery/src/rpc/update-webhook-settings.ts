import type { Handler } from '@gatehouse/kit/rpc';
import type {
  UpdateWebhookSettingsRequest,
  UpdateWebhookSettingsResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { needsManageGuild } from '../errors.ts';
import { keepsPayloads, startKeepingPayloads, stopKeepingPayloads } from '../store/payloads.ts';
import { requireGuildManager } from '../webhooks/manager.ts';

export function updateWebhookSettings(
  deps: Deps,
): Handler<UpdateWebhookSettingsRequest, UpdateWebhookSettingsResponse> {
  return async ({ guild_id, keep_payloads }, call) => {
    const { may_manage_guild } = await requireGuildManager(deps, guild_id, true, call);
    if (!may_manage_guild) throw needsManageGuild();
    if (keep_payloads === true) await startKeepingPayloads(deps.db, guild_id);
    if (keep_payloads === false) await stopKeepingPayloads(deps.db, guild_id);
    return { settings: { keep_payloads: await keepsPayloads(deps.db, guild_id) } };
  };
}
