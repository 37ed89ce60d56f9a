import type { Handler } from '@gatehouse/kit/rpc';
import type { GetChannelRequest, GetChannelResponse } from '@gatehouse/proto/chat';
import { accessChannel } from '../access.ts';
import { requireAccount } from '../caller.ts';
import type { Deps } from '../deps.ts';

export function getChannel({ db }: Deps): Handler<GetChannelRequest, GetChannelResponse> {
  return async ({ channel_id }, call) => {
    const { channel } = await accessChannel(db, channel_id, requireAccount(call.caller));
    return { channel };
  };
}
