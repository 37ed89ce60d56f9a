import { recipientsShown, viewChannel } from '@gatehouse/chat-client/channel-view';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetChannelRequest, GetChannelResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { accessChannel } from '../../guilds/access.ts';

export function getChannel({ db, users }: Deps): Handler<GetChannelRequest, GetChannelResponse> {
  return async ({ channel_id }, call) => {
    const account_id = requireAccount(call.caller);
    const { channel } = await accessChannel(db, channel_id, account_id);
    const shownUsers = await users(recipientsShown(channel, account_id));
    return { channel: viewChannel(channel, account_id, shownUsers) };
  };
}
