import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { EndAccountRequest, EndAccountResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { deleteAccount } from '../store/ended-accounts.ts';

export function endAccount({ db }: Deps): Handler<EndAccountRequest, EndAccountResponse> {
  return async ({ account_id }, { signal }) => {
    const form = new Form();
    if (!isSnowflake(account_id)) form.fail('account_id', 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
    form.check();
    await deleteAccount(db, account_id, signal);
    return {};
  };
}
