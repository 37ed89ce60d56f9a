import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListAuthorizationsRequest, ListAuthorizationsResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { findAuthorizationsOf } from '../store/authorizations.ts';

export function listAuthorizations({
  db,
}: Deps): Handler<ListAuthorizationsRequest, ListAuthorizationsResponse> {
  return async (_request, { caller }) => {
    const found = await findAuthorizationsOf(db, requireAccount(caller));
    return { authorizations: found.map(({ id, name, scopes }) => ({ application: { id, name }, scopes })) };
  };
}
