import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import { consent, newOauthClient, REDIRECT_URI } from '../../oauth2/consent.ts';
import type { TestStack } from '../../support/stack.ts';

const INSECURE = { [oauth.allowInsecureRequests]: true };

export function oauth4webapi(stack: TestStack): void {
  const serverOf = (): oauth.AuthorizationServer => ({
    issuer: stack.url,
    authorization_endpoint: `${stack.url}/api/v1/oauth2/authorize`,
    token_endpoint: `${stack.url}/api/v1/oauth2/token`,
    introspection_endpoint: `${stack.url}/api/v1/oauth2/introspect`,
    revocation_endpoint: `${stack.url}/api/v1/oauth2/token/revoke`,
  });

  describe.each([
    ['post', oauth.ClientSecretPost],
    ['Basic', oauth.ClientSecretBasic],
  ])('oauth4webapi, authenticated by %s', (_how, authentication) => {
    it('completes consent with PKCE, token, refresh, introspection and revocation', async () => {
      const server = serverOf();
      const { client_id, client_secret, person } = await newOauthClient(stack.api);
      const client: oauth.Client = { client_id };
      const proof = authentication(client_secret);
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(server.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        client_id,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        scope: 'guilds identify',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      }).toString();
      const callback = oauth.validateAuthResponse(server, client, await consent(person, url), state);

      const exchange = () =>
        oauth.authorizationCodeGrantRequest(
          server,
          client,
          proof,
          callback,
          REDIRECT_URI,
          verifier,
          INSECURE,
        );
      const first = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
      expect(first).toMatchObject({ token_type: 'bearer', expires_in: 604_800, scope: 'guilds identify' });
      const replay = await exchange();
      await expect(oauth.processAuthorizationCodeResponse(server, client, replay)).rejects.toMatchObject({
        status: 400,
        cause: { code: 'INVALID_GRANT' },
      });

      const refreshed = await oauth.refreshTokenGrantRequest(
        server,
        client,
        proof,
        first.refresh_token ?? '',
        INSECURE,
      );
      const second = await oauth.processRefreshTokenResponse(server, client, refreshed);
      const introspect = async (token: string) =>
        oauth.processIntrospectionResponse(
          server,
          client,
          await oauth.introspectionRequest(server, client, proof, token, INSECURE),
        );
      const about = { active: true, client_id, sub: person.user.id, scope: 'guilds identify' };
      for (const { access_token } of [first, second])
        expect(await introspect(access_token)).toMatchObject({ ...about, token_type: 'Bearer' });
      expect(await introspect(second.refresh_token ?? '')).toMatchObject({
        ...about,
        token_type: 'refresh_token',
      });

      const revoked = await oauth.revocationRequest(server, client, proof, first.access_token, INSECURE);
      await oauth.processRevocationResponse(revoked);
      for (const token of [first.access_token, second.access_token, second.refresh_token ?? ''])
        expect(await introspect(token)).toEqual({ active: false });
    });
  });
}
