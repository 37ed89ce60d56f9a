import { viewChannel } from '@gatehouse/chat-client/channel-view';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { OpenPrivateChannelRequest, OpenPrivateChannelResponse } from '@gatehouse/proto/chat';
import { openDirectChannel, openGroupChannel } from '../../channels/open-private-channel.ts';
import { readRecipients } from '../../channels/recipient-form.ts';
import type { Deps } from '../../deps.ts';
import { unknownUser } from '../../errors.ts';
import { eventTransaction } from '../../events/event-transaction.ts';

export function openPrivateChannel(
  deps: Deps,
): Handler<OpenPrivateChannelRequest, OpenPrivateChannelResponse> {
  return async ({ recipients }, call) => {
    const account_id = requireAccount(call.caller);
    const others = readRecipients(recipients, account_id);
    const [other, ...further] = others;
    const shownUsers = await deps.users(others);
    if (other === undefined || shownUsers.size < others.length) throw unknownUser();

    const channel = await eventTransaction(deps, (tx) =>
      further.length === 0
        ? openDirectChannel(tx, deps.ids(), account_id, other)
        : openGroupChannel(tx, deps.ids(), account_id, others),
    );
    return { channel: viewChannel(channel, account_id, shownUsers) };
  };
}
