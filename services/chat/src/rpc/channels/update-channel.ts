import { recipientsShown, viewChannel } from '@gatehouse/chat-client/channel-view';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateChannelRequest, UpdateChannelResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import { changeGuildChannel } from '../../channels/change-guild-channel.ts';
import { readChannelChanges } from '../../channels/channel-form.ts';
import { renameGroupChannel } from '../../channels/rename-group-channel.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { findChannel } from '../../store/channels/channels.ts';

export function updateChannel(deps: Deps): Handler<UpdateChannelRequest, UpdateChannelResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const settings = readChannelChanges(request);
    const reason = readReason(request.reason);
    const channel = await findChannel(deps.db, request.channel_id);
    if (channel === undefined) throw notFound('channel');
    const { id, guild_id } = channel;
    // Users are read before the change, so that nothing can fail after it is stored.
    const shownUsers = await deps.users(recipientsShown(channel, account_id));
    const changed =
      guild_id == null
        ? await eventTransaction(deps, (tx) => renameGroupChannel(tx, id, account_id, settings))
        : await changeGuild(deps, guild_id, account_id, (tx, actor) =>
            changeGuildChannel(tx, deps, actor, id, settings, reason),
          );
    return { channel: viewChannel(changed, account_id, shownUsers) };
  };
}
