import { holds, Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetSlowmodeRequest, GetSlowmodeResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { accessChannel } from '../../guilds/access.ts';

export function getSlowmode({ db, peekSlowmode }: Deps): Handler<GetSlowmodeRequest, GetSlowmodeResponse> {
  return async ({ channel_id }, call) => {
    const account_id = requireAccount(call.caller);
    const { channel, permissions } = await accessChannel(db, channel_id, account_id);
    const { rate_limit_per_user } = channel;
    if (rate_limit_per_user === 0 || holds(permissions, Permission.BYPASS_SLOWMODE)) {
      return { rate_limit_per_user, retry_after: 0 };
    }
    const slot = { account_id, channel_id: channel.id, interval_seconds: rate_limit_per_user };
    const retry_after_us = (await peekSlowmode(slot, call)) ?? 0;
    return { rate_limit_per_user, retry_after: Math.ceil(retry_after_us / 1000) / 1000 };
  };
}
