import { requireAccount } from '@gatehouse/kit/caller';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AddRecipientRequest, AddRecipientResponse } from '@gatehouse/proto/chat';
import { addRecipient as add } from '../channels/add-recipient.ts';
import type { Deps } from '../deps.ts';
import { unknownUser } from '../errors.ts';
import { accessChannel } from '../guilds/access.ts';

export function addRecipient({
  db,
  ids,
  users,
  eventsWritten,
}: Deps): Handler<AddRecipientRequest, AddRecipientResponse> {
  return async ({ channel_id, user_id }, call) => {
    const by_account_id = requireAccount(call.caller);
    await accessChannel(db, channel_id, by_account_id);
    if (!(await users([user_id])).has(user_id)) throw unknownUser();

    const added = await inTransaction(db, (tx) =>
      add(tx, { ids }, { channel_id, account_id: user_id, by_account_id }),
    );
    if (added) eventsWritten();
    return {};
  };
}
