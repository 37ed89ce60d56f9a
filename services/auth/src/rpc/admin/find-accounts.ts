import type { Handler } from '@gatehouse/kit/rpc';
import type { FindAccountsRequest, FindAccountsResponse } from '@gatehouse/proto/auth-admin';
import { readAccountIds, readAccountSearch } from '../../admin/account-search.ts';
import { adminAccount } from '../../admin/admin-views.ts';
import type { Deps } from '../../deps.ts';
import { findAccountsById, searchAccounts } from '../../store/admin/admin-accounts.ts';

export function findAccounts({ db, config }: Deps): Handler<FindAccountsRequest, FindAccountsResponse> {
  return async (request) => {
    const found =
      request.ids.length > 0
        ? await findAccountsById(db, readAccountIds(request))
        : await searchAccounts(db, readAccountSearch(request), config);
    return { accounts: found.map(adminAccount) };
  };
}
