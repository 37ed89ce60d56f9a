import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { GetUsersRequest, GetUsersResponse } from '@gatehouse/proto/auth';
import { publicUser } from '../../accounts/account-view.ts';
import type { Deps } from '../../deps.ts';
import { tooManyIds } from '../../errors.ts';
import { findAccounts } from '../../store/accounts/accounts.ts';

const MAX_IDS = 1000;

export function getUsers({ db }: Deps): Handler<GetUsersRequest, GetUsersResponse> {
  return async ({ ids }) => {
    if (ids.length > MAX_IDS) throw tooManyIds(MAX_IDS);
    const known = [...new Set(ids.filter(isSnowflake))];
    if (known.length === 0) return { users: [] };
    const accounts = await findAccounts(db, known);
    return { users: accounts.filter((account) => account !== undefined).map(publicUser) };
  };
}
