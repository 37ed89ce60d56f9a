import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AddRecipientRequest, AddRecipientResponse } from '@gatehouse/proto/chat';
import { addGroupRecipient } from '../../channels/add-group-recipient.ts';
import type { Deps } from '../../deps.ts';
import { unknownUser } from '../../errors.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { accessChannel } from '../../guilds/access.ts';

export function addRecipient(deps: Deps): Handler<AddRecipientRequest, AddRecipientResponse> {
  return async ({ channel_id, user_id }, call) => {
    const by_account_id = requireAccount(call.caller);
    await accessChannel(deps.db, channel_id, by_account_id);
    if (!(await deps.users([user_id])).has(user_id)) throw unknownUser();

    await eventTransaction(deps, (tx) =>
      addGroupRecipient(tx, deps, { channel_id, account_id: user_id, by_account_id }),
    );
    return {};
  };
}
