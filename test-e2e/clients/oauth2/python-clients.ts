import { describe, expect, it } from 'vitest';
import { consent, newOauthClient, REDIRECT_URI } from '../../oauth2/consent.ts';
import type { TestStack } from '../../support/stack.ts';
import { pythonOauth2IsMissing, startPython } from './python-oauth2.ts';

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
  /** Its error for a code used twice, if it tried. */
  readonly replay?: object;
}

/** Authlib and requests-oauthlib. */
export function pythonClients(stack: TestStack): void {
  describe.skipIf(pythonOauth2IsMissing).each([
    ['Authlib', 'authlib-client.py'],
    ['requests-oauthlib', 'requests-oauthlib-client.py'],
  ])('%s, of Python', (name, script) => {
    it.each(['client_secret_post', 'client_secret_basic'])(
      'completes consent with PKCE, token, userinfo, refresh, introspection and revocation, authenticated by %s',
      async (authentication) => {
        const { client_id, client_secret, person } = await newOauthClient(stack.api);
        const routes = `${stack.url}/api/v1/oauth2`;
        const settings = { routes, client_id, client_secret, redirect_uri: REDIRECT_URI, authentication };
        const client = startPython(script, settings);
        try {
          const authorize = await client.next<string>();
          expect(authorize).toMatch(/[?&]code_challenge_method=S256(&|$)/);
          client.say((await consent(person, authorize)).href);
          const { first, userinfo, second, live, replaced, dead, replay } = await client.next<Outcome>();

          const scope = name === 'Authlib' ? 'email identify' : ['email', 'identify'];
          const granted = { token_type: 'Bearer', expires_in: 604_800, scope };
          expect(first).toMatchObject(granted);
          expect(userinfo).toMatchObject({ sub: person.user.id, email: person.email, verified: true });
          expect(second).toMatchObject(granted);
          expect(second.access_token).not.toBe(first.access_token);
          const about = { active: true, client_id, sub: person.user.id, scope: 'email identify' };
          expect(live).toEqual([expect.objectContaining(about), expect.objectContaining(about)]);
          expect(replaced, 'a used refresh token').toEqual({ active: false });
          if (name === 'requests-oauthlib') expect(replay).toMatchObject({ status: 400 });
          expect(dead).toEqual(Array(3).fill({ active: false }));
        } finally {
          client.close();
        }
      },
    );
  });
}
