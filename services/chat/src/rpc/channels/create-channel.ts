import { viewChannel } from '@gatehouse/chat-client/channel-view';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateChannelRequest, CreateChannelResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import { readNewChannel } from '../../channels/channel-form.ts';
import { createGuildChannel } from '../../channels/create-guild-channel.ts';
import type { Deps } from '../../deps.ts';
import { changeGuild } from '../../guilds/change-guild.ts';

export function createChannel(deps: Deps): Handler<CreateChannelRequest, CreateChannelResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const wanted = readNewChannel(request);
    const reason = readReason(request.reason);
    const channel = await changeGuild(deps, request.guild_id, account_id, (tx, actor) =>
      createGuildChannel(tx, deps, actor, wanted, reason),
    );
    return { channel: viewChannel(channel, account_id) };
  };
}
