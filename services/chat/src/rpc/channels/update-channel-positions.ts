import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateChannelPositionsRequest, UpdateChannelPositionsResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import { MAX_CHANNELS } from '../../channels/create-guild-channel.ts';
import { orderChannels } from '../../channels/order-channels.ts';
import type { Deps } from '../../deps.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { readPositions } from '../../guilds/position-form.ts';

export function updateChannelPositions(
  deps: Deps,
): Handler<UpdateChannelPositionsRequest, UpdateChannelPositionsResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const positions = readPositions(request.positions, MAX_CHANNELS);
    const reason = readReason(request.reason);
    await changeGuild(deps, request.guild_id, account_id, (tx, actor) =>
      orderChannels(tx, deps, actor, positions, reason),
    );
    return {};
  };
}
