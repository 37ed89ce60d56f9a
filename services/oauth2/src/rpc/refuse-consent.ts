import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RefuseConsentRequest, RefuseConsentResponse } from '@gatehouse/proto/oauth2';
import { requireClientApplication } from '../applications/require-application.ts';
import { callbackUri } from '../authorization/callback-uri.ts';
import { redirectTarget } from '../authorization/redirect-target.ts';
import { stateOf } from '../authorization/state.ts';
import type { Deps } from '../deps.ts';
import { readScopes } from '../tokens/scopes.ts';

export function refuseConsent(deps: Deps): Handler<RefuseConsentRequest, RefuseConsentResponse> {
  return async (request, call) => {
    const { client_id, scope, redirect_uri } = request;
    requireAccount(call.caller);
    const application = await requireClientApplication(deps.db, client_id);
    // A request without scopes is for the bot alone, which needs no redirect URI.
    const scopes = readScopes(scope ?? 'bot');
    const target = redirectTarget(application, scopes, redirect_uri, deps.web_app_url);
    return {
      redirect_to: callbackUri(target, { error: 'access_denied', state: stateOf(request), iss: deps.iss }),
    };
  };
}
