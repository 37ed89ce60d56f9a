import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  tokenIntrospection,
  tokenRevocation,
} from 'openid-client';
import { describe, expect, it } from 'vitest';
import { consent, newOauthClient, type OauthClient, REDIRECT_URI } from '../../oauth2/consent.ts';
import type { TestStack } from '../../support/stack.ts';

export function openidClient(stack: TestStack): void {
  describe.each([
    ['post', ClientSecretPost],
    ['Basic', ClientSecretBasic],
  ])('openid-client, authenticated by %s', (_how, authentication) => {
    it('completes consent with PKCE, token, refresh, introspection and revocation', async () => {
      const client = await newOauthClient(stack.api);
      const config = configurationOf(stack, client, authentication(client.client_secret));
      const { callback, checks } = await authorized(config, client);
      const first = await authorizationCodeGrant(config, callback, checks);
      expect(first).toMatchObject({ token_type: 'bearer', expires_in: 604_800, scope: 'email identify' });
      const second = await refreshTokenGrant(config, first.refresh_token ?? '');
      expect(second.access_token).not.toBe(first.access_token);

      const about = { active: true, client_id: client.client_id, sub: client.person.user.id };
      for (const { access_token } of [first, second]) {
        const introspection = await tokenIntrospection(config, access_token);
        expect(introspection).toMatchObject({ ...about, token_type: 'Bearer', scope: 'email identify' });
        expect(Number(introspection.exp) - Number(introspection.iat)).toBe(604_800);
      }
      const refresh = await tokenIntrospection(config, second.refresh_token ?? '');
      expect(refresh).toMatchObject({ ...about, token_type: 'refresh_token' });
      expect(refresh).not.toHaveProperty('exp');
      expect(await tokenIntrospection(config, first.refresh_token ?? '')).toEqual({ active: false });

      await tokenRevocation(config, second.refresh_token ?? '', { token_type_hint: 'refresh_token' });
      for (const token of [first.access_token, second.access_token, second.refresh_token ?? ''])
        expect(await tokenIntrospection(config, token)).toEqual({ active: false });
      await tokenRevocation(config, second.access_token);
    });

    it('raises its own errors from the API’s errors', async () => {
      const client = await newOauthClient(stack.api);
      const config = configurationOf(stack, client, authentication(client.client_secret));
      const { callback, checks } = await authorized(config, client);
      const wrong = { ...checks, pkceCodeVerifier: randomPKCECodeVerifier() };
      const refusal = { status: 400, cause: { code: 'INVALID_GRANT' } };
      await expect(authorizationCodeGrant(config, callback, wrong)).rejects.toMatchObject(refusal);
      await authorizationCodeGrant(config, callback, checks);
      await expect(authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject(refusal);
      const impostor = configurationOf(stack, client, authentication('wrong'));
      await expect(tokenIntrospection(impostor, 'x')).rejects.toMatchObject({
        status: 401,
        cause: { code: 'INVALID_CLIENT_SECRET' },
      });
    });
  });
}

function configurationOf({ url }: TestStack, { client_id }: OauthClient, authentication: ClientAuth) {
  const routes = `${url}/api/v1/oauth2`;
  const server = {
    issuer: url,
    authorization_endpoint: `${routes}/authorize`,
    token_endpoint: `${routes}/token`,
    introspection_endpoint: `${routes}/introspect`,
    revocation_endpoint: `${routes}/token/revoke`,
  };
  const config = new Configuration(server, client_id, {}, authentication);
  allowInsecureRequests(config);
  return config;
}

/** The callback after consent, with the values that the client checks. */
async function authorized(config: Configuration, { person }: OauthClient) {
  const pkceCodeVerifier = randomPKCECodeVerifier();
  const expectedState = randomState();
  const parameters = {
    redirect_uri: REDIRECT_URI,
    scope: 'identify email',
    code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  };
  const callback = await consent(person, buildAuthorizationUrl(config, parameters));
  return { callback, checks: { pkceCodeVerifier, expectedState } };
}
