import { requireAccount } from '@gatehouse/kit/caller';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { OpenPrivateChannelRequest, OpenPrivateChannelResponse } from '@gatehouse/proto/chat';
import { viewChannel } from '../channels/channel-view.ts';
import { openDirectChannel, openGroupChannel } from '../channels/open-private-channel.ts';
import { readRecipients } from '../channels/recipients.ts';
import type { Deps } from '../deps.ts';
import { unknownUser } from '../errors.ts';

export function openPrivateChannel({
  db,
  ids,
  users,
  eventsWritten,
}: Deps): Handler<OpenPrivateChannelRequest, OpenPrivateChannelResponse> {
  return async ({ recipients }, call) => {
    const account_id = requireAccount(call.caller);
    const others = readRecipients(recipients, account_id);
    const [other, ...further] = others;
    const shown = await users(others);
    if (other === undefined || shown.size < others.length) throw unknownUser();

    const channel = await inTransaction(db, (tx) =>
      further.length === 0
        ? openDirectChannel(tx, ids(), account_id, other)
        : openGroupChannel(tx, ids(), account_id, others),
    );
    eventsWritten();
    return { channel: viewChannel(channel, account_id, shown) };
  };
}
