import { codeOf, exchange, type TokenPair } from '../../oauth2/calls.ts';
import { newOauthClient, REDIRECT_URI } from '../../oauth2/consent.ts';
import type { Api } from '../../support/api.ts';

/** Tokens with every scope that reads the user, granted by consent. */
export async function accessTokenOf(api: Api): Promise<TokenPair> {
  const client = await newOauthClient(api);
  const body = { client_id: client.client_id, redirect_uri: REDIRECT_URI, scope: 'identify email guilds' };
  const code = codeOf(
    await client.person.api.post('/oauth2/authorize/consent', { ...body, response_type: 'code' }),
  );
  return (await exchange(api, client, { code, redirect_uri: REDIRECT_URI })).json<TokenPair>();
}
