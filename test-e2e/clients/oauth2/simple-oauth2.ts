import { AuthorizationCode } from 'simple-oauth2';
import { describe, expect, it } from 'vitest';
import { consent, newOauthClient, type OauthClient, REDIRECT_URI } from '../../oauth2/consent.ts';
import type { TestStack } from '../../support/stack.ts';

export function simpleOauth2(stack: TestStack): void {
  describe.each(['header', 'body'] as const)('simple-oauth2, with its secret in the %s', (where) => {
    const clientOf = ({ client_id: id, client_secret: secret }: OauthClient) =>
      new AuthorizationCode({
        client: { id, secret },
        auth: {
          tokenHost: stack.url,
          tokenPath: '/api/v1/oauth2/token',
          revokePath: '/api/v1/oauth2/token/revoke',
          authorizePath: '/api/v1/oauth2/authorize',
        },
        options: { authorizationMethod: where },
      });
    const isActive = async ({ client_id, client_secret }: OauthClient, token: unknown) => {
      const form = new URLSearchParams({ client_id, client_secret, token: String(token) }).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await stack.api.post('/oauth2/introspect', form, type)).json<{ active: boolean }>().active;
    };
    const codeOf = async (oauth: AuthorizationCode, { person }: OauthClient): Promise<string> => {
      const parameters = { redirect_uri: REDIRECT_URI, scope: ['identify', 'email'], state: 'a b&c' };
      const callback = await consent(person, oauth.authorizeURL(parameters));
      expect(callback.searchParams.get('state')).toBe('a b&c');
      return callback.searchParams.get('code') ?? '';
    };

    it('gets, refreshes and revokes tokens', async () => {
      const client = await newOauthClient(stack.api);
      const oauth = clientOf(client);
      const code = await codeOf(oauth, client);
      const first = await oauth.getToken({ code, redirect_uri: REDIRECT_URI });
      expect(first.token).toMatchObject({
        token_type: 'Bearer',
        expires_in: 604_800,
        scope: 'email identify',
      });
      expect(first.expired(604_000)).toBe(false);
      const second = await first.refresh();
      for (const { token } of [first, second]) expect(await isActive(client, token.access_token)).toBe(true);
      expect(await isActive(client, first.token.refresh_token)).toBe(false);
      await second.revokeAll();
      for (const token of [first.token.access_token, second.token.access_token, second.token.refresh_token])
        expect(await isActive(client, token)).toBe(false);
    });

    it('raises its own errors from the API’s errors', async () => {
      const client = await newOauthClient(stack.api);
      const oauth = clientOf(client);
      const wrong = { code: 'x', redirect_uri: REDIRECT_URI };
      await expect(oauth.getToken(wrong)).rejects.toMatchObject({
        output: { statusCode: 400 },
        data: { payload: { code: 'INVALID_GRANT' } },
      });
      await expect(clientOf({ ...client, client_secret: 'x:%' }).getToken(wrong)).rejects.toMatchObject({
        output: { statusCode: 401 },
        data: { payload: { code: 'INVALID_CLIENT_SECRET' } },
      });
    });
  });
}
