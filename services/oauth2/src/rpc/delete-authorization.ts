import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { DeleteAuthorizationRequest, DeleteAuthorizationResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { invalidId } from '../errors.ts';
import { revokeAccessTokens } from '../store/revoke-tokens.ts';

export function deleteAuthorization({
  db,
}: Deps): Handler<DeleteAuthorizationRequest, DeleteAuthorizationResponse> {
  return async ({ application_id }, { caller }) => {
    const account_id = requireAccount(caller);
    if (!isSnowflake(application_id)) throw invalidId('application_id');
    await revokeAccessTokens(db, account_id, application_id);
    return {};
  };
}
