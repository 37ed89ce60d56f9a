import type { Handler } from '@gatehouse/kit/rpc';
import type { EndAccountRequest, EndAccountResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { deleteAccount } from '../store/ended-accounts.ts';

export function endAccount({ db }: Deps): Handler<EndAccountRequest, EndAccountResponse> {
  return async ({ account_id }, { signal }) => {
    await deleteAccount(db, account_id, signal);
    return {};
  };
}
