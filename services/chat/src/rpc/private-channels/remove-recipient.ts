import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveRecipientRequest, RemoveRecipientResponse } from '@gatehouse/proto/chat';
import { removeGroupRecipient } from '../../channels/remove-group-recipient.ts';
import type { Deps } from '../../deps.ts';
import { eventTransaction } from '../../events/event-transaction.ts';

export function removeRecipient(deps: Deps): Handler<RemoveRecipientRequest, RemoveRecipientResponse> {
  return async ({ channel_id, user_id }, call) => {
    const by_account_id = requireAccount(call.caller);
    await eventTransaction(deps, (tx) =>
      removeGroupRecipient(tx, { channel_id, account_id: user_id, by_account_id }),
    );
    return {};
  };
}
