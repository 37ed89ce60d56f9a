import { requireAccount } from '@gatehouse/kit/caller';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveRecipientRequest, RemoveRecipientResponse } from '@gatehouse/proto/chat';
import { removeRecipient as remove } from '../channels/remove-recipient.ts';
import type { Deps } from '../deps.ts';

export function removeRecipient({
  db,
  eventsWritten,
}: Deps): Handler<RemoveRecipientRequest, RemoveRecipientResponse> {
  return async ({ channel_id, user_id }, call) => {
    const by_account_id = requireAccount(call.caller);
    await inTransaction(db, (tx) => remove(tx, { channel_id, account_id: user_id, by_account_id }));
    eventsWritten();
    return {};
  };
}
