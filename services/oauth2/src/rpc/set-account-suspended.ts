import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { SetAccountSuspendedRequest, SetAccountSuspendedResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import { setSuspended } from '../store/suspended-accounts.ts';

export function setAccountSuspended({
  db,
}: Deps): Handler<SetAccountSuspendedRequest, SetAccountSuspendedResponse> {
  return async (suspension) => {
    if (!isSnowflake(suspension.account_id)) throw invalidId('account_id');
    await setSuspended(db, suspension);
    return {};
  };
}
