import type { Handler } from '@gatehouse/kit/rpc';
import type { RevokeTokenRequest, RevokeTokenResponse } from '@gatehouse/proto/oauth2';
import { lookUpToken } from '../clients/look-up-token.ts';
import type { Deps } from '../deps.ts';
import { revokeTokens } from '../store/revoke-tokens.ts';

/** A token that is refused is revoked, too: it must not come back when its account is restored. */
export function revokeToken(deps: Deps): Handler<RevokeTokenRequest, RevokeTokenResponse> {
  return async (request) => {
    const { application_id, form, token } = await lookUpToken(deps, request);
    // A refresh token is found only with the hint (docs/oauth2.md#token-type-hint).
    const kind = form.get('token_type_hint') === 'refresh_token' ? 'refresh' : 'access';
    if (token?.kind === kind && token.application_id === application_id)
      await revokeTokens(deps.db, token.account_id, [application_id]);
    return {};
  };
}
