import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { EndAccountRequest, EndAccountResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import { deleteAccount } from '../store/delete-account.ts';

export function endAccount({ db }: Deps): Handler<EndAccountRequest, EndAccountResponse> {
  return async ({ account_id }, { signal }) => {
    if (!isSnowflake(account_id)) throw invalidId('account_id');
    await deleteAccount(db, account_id, signal);
    return {};
  };
}
