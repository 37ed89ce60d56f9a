import { viewChannel } from '@gatehouse/chat-client/channel-view';
import { channelPermissions, holds, Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListGuildChannelsRequest, ListGuildChannelsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { accessGuild } from '../../guilds/access.ts';
import { findChannels } from '../../store/channels/channels.ts';

export function listGuildChannels({
  db,
}: Deps): Handler<ListGuildChannelsRequest, ListGuildChannelsResponse> {
  return async ({ guild_id }, call) => {
    const membership = await accessGuild(db, guild_id, requireAccount(call.caller));
    const channels = await findChannels(db, guild_id);
    return {
      channels: channels
        .filter(({ permission_overwrites }) =>
          holds(channelPermissions(membership, permission_overwrites), Permission.VIEW_CHANNEL),
        )
        .map((channel) => viewChannel(channel, membership.account_id)),
    };
  };
}
