import type { Handler } from '@gatehouse/kit/rpc';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import type { AuthorizeRequest, AuthorizeResponse } from '@gatehouse/proto/oauth2';
import { readAuthorizeQuery } from '../authorization/authorize-query.ts';
import { silentGrant } from '../authorization/silent-grant.ts';
import { uriQuery } from '../authorization/uri-query.ts';
import type { Deps } from '../deps.ts';

/** Without prompt=none, the query goes to the consent page unchecked. */
export function authorize(deps: Deps): Handler<AuthorizeRequest, AuthorizeResponse> {
  return async (request, call) => {
    const text = uriQuery(request.query);
    const query = readAuthorizeQuery(text);
    if (query.isSilent) {
      // Bots and access tokens act for an account, but are no signed-in user.
      const isSignedIn = call.caller.kind === CallerKind.CALLER_KIND_SESSION;
      const account_id = isSignedIn ? call.caller.account_id : undefined;
      return { location: await silentGrant(deps, query, account_id, call) };
    }
    const page = `${deps.web_app_url}/oauth2/authorize`;
    return { location: text === '' ? page : `${page}?${text}` };
  };
}
