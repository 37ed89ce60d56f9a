import { describe, expect, it } from 'vitest';
import { consent, newOauthClient, REDIRECT_URI } from '../oauth2/consent.ts';
import type { TestSuite } from '../support/suite.ts';
import { authlibIsMissing, startAuthlib } from './real-authlib.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Outcome {
  readonly first: Tokens;
  readonly userinfo: object;
  readonly second: Tokens;
  readonly live: readonly object[];
  readonly replaced: object;
  readonly dead: readonly object[];
}

export function authlib(suite: TestSuite): void {
  describe.skipIf(authlibIsMissing)('Authlib, of Python', () => {
    it.each(['client_secret_post', 'client_secret_basic'])(
      'walks through consent with PKCE, token, userinfo, refresh, introspection and revocation by %s',
      async (authentication) => {
        const { client_id, client_secret, person } = await newOauthClient(suite.api);
        const routes = `${suite.url}/api/v1/oauth2`;
        const settings = { routes, client_id, client_secret, redirect_uri: REDIRECT_URI, authentication };
        const client = startAuthlib(settings);
        try {
          const authorize = await client.next<string>();
          expect(authorize).toMatch(/[?&]code_challenge_method=S256(&|$)/);
          client.say((await consent(person, authorize)).href);
          const { first, userinfo, second, live, replaced, dead } = await client.next<Outcome>();

          const granted = { token_type: 'Bearer', expires_in: 604_800, scope: 'email identify' };
          expect(first).toMatchObject(granted);
          expect(userinfo).toMatchObject({ sub: person.user.id, email: person.email, verified: true });
          expect(second).toMatchObject(granted);
          expect(second.access_token).not.toBe(first.access_token);
          const about = { active: true, client_id, sub: person.user.id, scope: 'email identify' };
          expect(live).toEqual([expect.objectContaining(about), expect.objectContaining(about)]);
          expect(replaced, 'a refresh token that was used').toEqual({ active: false });
          expect(dead).toEqual(Array(3).fill({ active: false }));
        } finally {
          client.close();
        }
      },
    );
  });
}
