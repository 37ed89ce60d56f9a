import { guildPermissions, holds, Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListWebhookChannelsRequest, ListWebhookChannelsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { forbidden, guildDisabled, notFound } from '../../errors.ts';
import { mayManageWebhooks, mayManageWebhooksIn } from '../../guilds/webhook-permissions.ts';
import { findChannels } from '../../store/channels/channels.ts';
import { isGuildDisabled } from '../../store/guilds/admin-guilds.ts';
import { findMembership } from '../../store/members/members.ts';

export function listWebhookChannels({
  db,
}: Deps): Handler<ListWebhookChannelsRequest, ListWebhookChannelsResponse> {
  return async ({ guild_id, changes }, call) => {
    const account_id = requireAccount(call.caller);
    const [membership, is_disabled] = await Promise.all([
      findMembership(db, guild_id, account_id),
      changes ? isGuildDisabled(db, guild_id) : false,
    ]);
    if (membership === undefined) throw notFound('guild');
    if (!mayManageWebhooks(membership)) throw forbidden();
    if (is_disabled) throw guildDisabled();
    const channels = await findChannels(db, guild_id);
    return {
      channel_ids: channels
        .filter((channel) => mayManageWebhooksIn(membership, channel.permission_overwrites))
        .map(({ id }) => id),
      may_manage_guild: holds(guildPermissions(membership), Permission.MANAGE_GUILD),
    };
  };
}
