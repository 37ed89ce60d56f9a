import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { GetUserRequest, GetUserResponse } from '@gatehouse/proto/auth';
import { publicUser } from '../../accounts/account-view.ts';
import type { Deps } from '../../deps.ts';
import { unknownUser } from '../../errors.ts';

export function getUser({ batched }: Deps): Handler<GetUserRequest, GetUserResponse> {
  return async ({ user_id }) => {
    const account = isSnowflake(user_id) ? await batched.findAccount(user_id) : undefined;
    if (account === undefined) throw unknownUser();
    return { user: publicUser(account) };
  };
}
