import type { Handler } from '@gatehouse/kit/rpc';
import type { FindAccountsRequest, FindAccountsResponse } from '@gatehouse/proto/auth-admin';
import { readAccountSearch } from '../../admin/account-search.ts';
import { adminAccount } from '../../admin/admin-views.ts';
import type { Deps } from '../../deps.ts';
import { searchAccounts } from '../../store/admin/admin-accounts.ts';

export function findAccounts({ db, config }: Deps): Handler<FindAccountsRequest, FindAccountsResponse> {
  return async (request) => {
    const found = await searchAccounts(db, readAccountSearch(request), config);
    return { accounts: found.map(adminAccount) };
  };
}
