import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ListAccountGrantsRequest, ListAccountGrantsResponse } from '@gatehouse/proto/oauth2-admin';
import { accountGrants } from '../../authorization/account-grants.ts';
import type { Deps } from '../../deps.ts';
import { invalidId } from '../../errors.ts';
import { findAccountGrants } from '../../store/account-grants.ts';

export function listAccountGrants({
  db,
}: Deps): Handler<ListAccountGrantsRequest, ListAccountGrantsResponse> {
  return async ({ account_id }) => {
    if (!isSnowflake(account_id)) throw invalidId('account_id');
    return { grants: accountGrants(await findAccountGrants(db, account_id)) };
  };
}
