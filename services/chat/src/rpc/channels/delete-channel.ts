import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteChannelRequest, DeleteChannelResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import { closePrivateChannel } from '../../channels/close-private-channel.ts';
import { deleteGuildChannel } from '../../channels/delete-guild-channel.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { findChannel } from '../../store/channels/channels.ts';

export function deleteChannel(deps: Deps): Handler<DeleteChannelRequest, DeleteChannelResponse> {
  return async ({ channel_id, reason: header }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(header);
    const channel = await findChannel(deps.db, channel_id);
    if (channel === undefined) throw notFound('channel');
    if (channel.guild_id == null) {
      await eventTransaction(deps, (tx) => closePrivateChannel(tx, channel_id, account_id));
    } else {
      await changeGuild(deps, channel.guild_id, account_id, (tx, actor) =>
        deleteGuildChannel(tx, deps, actor, channel_id, reason),
      );
    }
    deps.channelsDeleted();
    return {};
  };
}
