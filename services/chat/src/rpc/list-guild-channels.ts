import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListGuildChannelsRequest, ListGuildChannelsResponse } from '@gatehouse/proto/chat';
import { viewChannel } from '../channels/channel-view.ts';
import type { Deps } from '../deps.ts';
import { accessGuild } from '../guilds/access.ts';
import { channelPermissions, holds, Permission } from '../guilds/permissions.ts';
import { readChannels } from '../store/channels.ts';

export function listGuildChannels({
  db,
}: Deps): Handler<ListGuildChannelsRequest, ListGuildChannelsResponse> {
  return async ({ guild_id }, call) => {
    const membership = await accessGuild(db, guild_id, requireAccount(call.caller));
    const channels = await readChannels(db, guild_id);
    return {
      channels: channels
        .filter(({ permission_overwrites }) =>
          holds(channelPermissions(membership, permission_overwrites), Permission.VIEW_CHANNEL),
        )
        .map((channel) => viewChannel(channel, membership.account_id)),
    };
  };
}
