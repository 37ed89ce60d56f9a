import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { bodyOf } from '../support/expect-status.ts';
import { freshAddress } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { codeOf, credentialsOf, exchange, FORM, type TokenPair } from './calls.ts';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';

/** Further tests of the token route's grants, beside test-e2e/oauth2/tokens.test.ts. */
export function grants(stack: TestStack): void {
  let client: OauthClient;
  let pair: TokenPair;
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
    const code = await newCode(client);
    pair = bodyOf(await exchange(stack.api, client, { code, redirect_uri: REDIRECT_URI }));
  });

  describe('a form request', () => {
    it('may have unknown parameters and percent-encoding', async () => {
      const code = await newCode(client);
      const { client_id, client_secret } = client;
      const written = [...code].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
      const form =
        `scope=x&foo=bar&=&&grant%5ftype=authorization_code&code=${written}` +
        `&redirect_uri=${REDIRECT_URI}&client_id=${client_id}&client_secret=${client_secret}`;
      const reply = await stack.api.from(freshAddress()).post('/oauth2/token', form, FORM);
      expect(bodyOf<TokenPair>(reply).scope).toBe('email identify');
    });

    it('to introspect returns the token’s lifetime', async () => {
      const members = { ...credentialsOf(client), token: pair.access_token };
      const form = new URLSearchParams(members).toString();
      const reply = await stack.api.from(freshAddress()).post('/oauth2/introspect', form, FORM);
      const { iat, exp } = bodyOf<{ iat: number; exp: number }>(reply);
      expect(exp - iat).toBe(604_800);
      expect(Math.abs(Date.now() / 1000 - iat)).toBeLessThan(300);
    });
  });

  it('an authorization code is valid at the token route only', async () => {
    const good = { client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
    const code = codeOf(await client.person.api.post('/oauth2/authorize/consent', good));
    const api = stack.api.as(`Bearer ${code}`);
    expectError(await api.get('/users/@me'), 401, 'UNAUTHORIZED');
    expectError(await api.post('/oauth2/authorize/consent', good), 401, 'UNAUTHORIZED');
  });
}
