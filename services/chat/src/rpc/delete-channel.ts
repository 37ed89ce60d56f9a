import { requireAccount } from '@gatehouse/kit/caller';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteChannelRequest, DeleteChannelResponse } from '@gatehouse/proto/chat';
import { closePrivateChannel } from '../channels/close-private-channel.ts';
import type { Deps } from '../deps.ts';

export function deleteChannel({
  db,
  eventsWritten,
}: Deps): Handler<DeleteChannelRequest, DeleteChannelResponse> {
  return async ({ channel_id }, call) => {
    const account_id = requireAccount(call.caller);
    await inTransaction(db, (tx) => closePrivateChannel(tx, channel_id, account_id));
    eventsWritten();
    return {};
  };
}
