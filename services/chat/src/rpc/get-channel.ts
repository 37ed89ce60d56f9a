import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetChannelRequest, GetChannelResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { accessChannel } from '../guilds/access.ts';

export function getChannel({ db }: Deps): Handler<GetChannelRequest, GetChannelResponse> {
  return async ({ channel_id }, call) => {
    const { channel } = await accessChannel(db, channel_id, requireAccount(call.caller));
    return { channel };
  };
}
