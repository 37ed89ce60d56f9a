import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { DeleteAuthorizationRequest, DeleteAuthorizationResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { revokeAccessTokens } from '../store/revoke-tokens.ts';

export function deleteAuthorization({
  db,
}: Deps): Handler<DeleteAuthorizationRequest, DeleteAuthorizationResponse> {
  return async ({ application_id }, { caller }) => {
    const account_id = requireAccount(caller);
    const form = new Form();
    if (!isSnowflake(application_id))
      form.fail('application_id', 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
    form.check();
    await revokeAccessTokens(db, account_id, application_id);
    return {};
  };
}
