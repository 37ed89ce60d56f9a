import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AuthorizeWebhooksRequest, AuthorizeWebhooksResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { forbidden, notFound, noWebhooksHere } from '../errors.ts';
import { channelPermissions, guildPermissions, holds, Permission } from '../guilds/permissions.ts';
import { ChannelType, readChannel } from '../store/channels.ts';
import { readMembership } from '../store/members.ts';

/**
 * The caller needs MANAGE_WEBHOOKS in the guild, and VIEW_CHANNEL and MANAGE_WEBHOOKS in the channel.
 * Non-members and members without the permissions get the same answer.
 */
export function authorizeWebhooks({
  db,
}: Deps): Handler<AuthorizeWebhooksRequest, AuthorizeWebhooksResponse> {
  return async ({ channel_id }, call) => {
    const account_id = requireAccount(call.caller);
    const channel = await readChannel(db, channel_id);
    if (channel === undefined) throw notFound('channel');
    const { guild_id, type, permission_overwrites } = channel;
    if (!guild_id) throw noWebhooksHere();

    const membership = await readMembership(db, guild_id, account_id);
    if (membership === undefined) throw notFound('channel');
    const inChannel = Permission.VIEW_CHANNEL | Permission.MANAGE_WEBHOOKS;
    const allowed =
      holds(guildPermissions(membership), Permission.MANAGE_WEBHOOKS) &&
      holds(channelPermissions(membership, permission_overwrites), inChannel);
    if (!allowed) throw forbidden();
    if (type === ChannelType.CATEGORY) throw noWebhooksHere();
    return { guild_id };
  };
}
