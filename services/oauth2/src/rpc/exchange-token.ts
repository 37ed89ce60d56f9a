import type { Handler } from '@gatehouse/kit/rpc';
import type { ExchangeTokenRequest, ExchangeTokenResponse } from '@gatehouse/proto/oauth2';
import { authenticateClient } from '../clients/authenticate-client.ts';
import { clientCredentials } from '../clients/client-credentials.ts';
import { readTokenForm } from '../clients/token-form.ts';
import type { Deps } from '../deps.ts';
import { unsupportedGrantType } from '../errors.ts';
import { exchangeAuthorizationCode } from '../grants/authorization-code.ts';
import type { GrantRequest } from '../grants/grant-request.ts';
import { exchangeRefreshToken } from '../grants/refresh-token.ts';
import type { IssuedPair } from '../store/exchange-grants.ts';
import { ACCESS_TOKEN_SECONDS, newTokenPair } from '../tokens/new-token-pair.ts';

export function exchangeToken(deps: Deps): Handler<ExchangeTokenRequest, ExchangeTokenResponse> {
  return async ({ authorization, content_type, body }) => {
    const form = readTokenForm(content_type, body);
    const credentials = clientCredentials(form, authorization);
    const pair = newTokenPair(deps.ids);
    const { scopes } = await exchangeGrant(deps, { credentials, form, pair: pair.stored });
    return {
      access_token: pair.access_token,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: pair.refresh_token,
      scope: scopes.join(' '),
    };
  };
}

async function exchangeGrant(deps: Deps, request: GrantRequest): Promise<IssuedPair> {
  switch (request.form.get('grant_type')) {
    case 'authorization_code':
      return exchangeAuthorizationCode(deps, request);
    case 'refresh_token':
      return exchangeRefreshToken(deps, request);
    default:
      await authenticateClient(deps, request.credentials);
      throw unsupportedGrantType();
  }
}
