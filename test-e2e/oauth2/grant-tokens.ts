import type { Api } from '../support/api.ts';
import { bodyOf } from '../support/expect-status.ts';
import { exchange, type TokenPair } from './calls.ts';
import { newCode, type OauthClient, REDIRECT_URI } from './consent.ts';

/** Consents to a client's scopes as `client.person`, and exchanges the code. */
export async function grantTokens(
  api: Api,
  client: OauthClient,
  scope = 'identify email',
): Promise<TokenPair> {
  const code = await newCode(client, { scope });
  return bodyOf(await exchange(api, client, { code, redirect_uri: REDIRECT_URI }));
}
