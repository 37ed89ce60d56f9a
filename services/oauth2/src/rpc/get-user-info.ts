import type { Handler } from '@gatehouse/kit/rpc';
import type { GetUserInfoRequest, GetUserInfoResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { missingIdentify } from '../errors.ts';
import { requireAccessToken } from '../tokens/token-caller.ts';
import { readTokenUser } from '../tokens/token-user.ts';

export function getUserInfo({ auth }: Deps): Handler<GetUserInfoRequest, GetUserInfoResponse> {
  return async (_request, call) => {
    const { scopes } = requireAccessToken(call.caller);
    if (!scopes.includes('identify')) throw missingIdentify();
    const user = await readTokenUser(auth, call);
    return { sub: user.id, ...user };
  };
}
