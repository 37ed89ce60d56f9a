import type { Handler } from '@gatehouse/kit/rpc';
import type {
  GetCurrentAuthorizationRequest,
  GetCurrentAuthorizationResponse,
} from '@gatehouse/proto/oauth2';
import { applicationSummary } from '../applications/application-view.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import { findAuthorization } from '../store/authorizations.ts';
import { requireAccessToken } from '../tokens/token-caller.ts';
import { readTokenUser } from '../tokens/token-user.ts';

export function getCurrentAuthorization({
  db,
  auth,
}: Deps): Handler<GetCurrentAuthorizationRequest, GetCurrentAuthorizationResponse> {
  return async (_request, call) => {
    const { credential_id } = requireAccessToken(call.caller);
    const authorization = await findAuthorization(db, credential_id);
    if (authorization === undefined) throw invalidToken();
    const { scopes, expires_at } = authorization;
    return {
      application: applicationSummary(authorization),
      scopes,
      expires: expires_at.toISOString(),
      user: scopes.includes('identify') ? await readTokenUser(auth, call) : undefined,
    };
  };
}
