import * as oauth from 'oauth4webapi';
import { expect, it } from 'vitest';
import { tokensMailed } from '../support/mail.ts';
import { PROXIED, useSharedStack } from '../support/stack.ts';
import { consent, newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';

const stack = useSharedStack({
  ...PROXIED,
  OAUTH2_CODE_LIFETIME_SECONDS: '60',
  OAUTH2_REFRESH_TOKEN_LIFETIME_DAYS: '30',
  OAUTH2_REQUIRE_S256: 'on',
  OAUTH2_INTROSPECT_OWN_TOKENS_ONLY: 'on',
  OAUTH2_REVOKE_ON_REPLAY: 'on',
  OAUTH2_CALLBACK_ISSUER: 'on',
  OAUTH2_VERIFIED_EMAIL_ONLY: 'on',
});

const INSECURE = { [oauth.allowInsecureRequests]: true };

async function discovered(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(stack.url);
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
  return oauth.processDiscoveryResponse(issuer, answer);
}

/** Consents with an S256 challenge. Returns the callback. */
async function authorized(
  server: oauth.AuthorizationServer,
  of: OauthClient,
  verifier: string,
  scope = 'identify',
) {
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: of.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  return consent(of.person, url);
}

it('a hardened server works with a strict client that reads its metadata', async () => {
  const server = await discovered();
  expect(server).toMatchObject({
    issuer: stack.url,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
  const of = await newOauthClient(stack.api);
  const [client, proof] = [{ client_id: of.client_id }, oauth.ClientSecretBasic(of.client_secret)];
  const verifier = oauth.generateRandomCodeVerifier();
  const url = await authorized(server, of, verifier);
  // The client requires iss because of the metadata, and compares it.
  const callback = oauth.validateAuthResponse(server, client, url, oauth.expectNoState);
  for (const iss of [undefined, 'https://evil.test']) {
    const other = new URL(url);
    other.searchParams.delete('iss');
    if (iss !== undefined) other.searchParams.set('iss', iss);
    expect(() => oauth.validateAuthResponse(server, client, other, oauth.expectNoState)).toThrow(/iss/);
  }

  const exchange = () =>
    oauth.authorizationCodeGrantRequest(server, client, proof, callback, REDIRECT_URI, verifier, INSECURE);
  const pair = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
  const introspected = async (by: OauthClient) => {
    const [asking, secret] = [{ client_id: by.client_id }, oauth.ClientSecretPost(by.client_secret)];
    const answer = await oauth.introspectionRequest(server, asking, secret, pair.access_token, INSECURE);
    return oauth.processIntrospectionResponse(server, asking, answer);
  };
  expect(await introspected(of)).toMatchObject({ active: true, client_id: of.client_id });
  expect(await introspected(await newOauthClient(stack.api))).toEqual({ active: false });

  expect((await exchange()).status).toBe(400);
  expect(await introspected(of)).toEqual({ active: false });
  const refresh = pair.refresh_token ?? '';
  const spent = await oauth.refreshTokenGrantRequest(server, client, proof, refresh, INSECURE);
  expect(spent.status).toBe(400);
});

it('an application gets an e-mail address only after its verification', async () => {
  const server = await discovered();
  const of = await newOauthClient(stack.api);
  const { person } = of;
  const [client, proof] = [{ client_id: of.client_id }, oauth.ClientSecretBasic(of.client_secret)];
  const verifier = oauth.generateRandomCodeVerifier();
  const url = await authorized(server, of, verifier, 'identify email');
  const callback = oauth.validateAuthResponse(server, client, url, oauth.expectNoState);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    proof,
    callback,
    REDIRECT_URI,
    verifier,
    INSECURE,
  );
  const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, answer);
  const api = stack.api.as(`Bearer ${access_token}`);
  const shown = async () => ({
    userinfo: (await api.get('/oauth2/userinfo')).json(),
    current: (await api.get('/oauth2/@me')).json<{ user: object }>().user,
    me: (await api.get('/users/@me')).json(),
  });
  const hidden = { email: null, verified: false };
  expect(await shown()).toMatchObject({ userinfo: hidden, current: hidden, me: hidden });
  expect((await person.api.get('/users/@me')).json()).toMatchObject({ email: person.email });
  const [token] = await tokensMailed(stack.data_dir, person.email, 'verify');
  expect((await stack.api.post('/auth/verify', { token })).status).toBe(204);
  const seen = { email: person.email, verified: true };
  expect(await shown()).toMatchObject({ userinfo: seen, current: seen, me: seen });
});

it('a consent without a challenge is refused', async () => {
  const { client_id, person } = await newOauthClient(stack.api);
  const request = { client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
  const reply = await person.api.post('/oauth2/authorize/consent', request);
  expect([reply.status, reply.json<{ code: string }>().code]).toEqual([400, 'INVALID_REQUEST']);
});
