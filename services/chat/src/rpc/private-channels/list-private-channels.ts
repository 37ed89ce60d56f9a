import { recipientsShown, viewChannel } from '@gatehouse/chat-client/channel-view';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListPrivateChannelsRequest, ListPrivateChannelsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { findPrivateChannels } from '../../store/channels/private-channels.ts';

export function listPrivateChannels({
  db,
  users,
}: Deps): Handler<ListPrivateChannelsRequest, ListPrivateChannelsResponse> {
  return async (_, call) => {
    const account_id = requireAccount(call.caller);
    const channels = await findPrivateChannels(db, account_id);
    const shownUsers = await users(channels.flatMap((channel) => recipientsShown(channel, account_id)));
    return { channels: channels.map((channel) => viewChannel(channel, account_id, shownUsers)) };
  };
}
