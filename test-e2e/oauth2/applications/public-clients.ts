import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { bodyOf } from '../../support/expect-status.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectOauthError, type OwnApplication, postForm, type TokenPair } from '../calls.ts';
import { newCode, newOauthClient, REDIRECT_URI } from '../consent.ts';

const VERIFIER = 'a-verifier-of-more-than-forty-three-characters.~_';
const S256 = { code_challenge: hash('sha256', VERIFIER, 'base64url'), code_challenge_method: 'S256' };

export function publicClients(stack: TestStack): void {
  describe('a public client', () => {
    it('exchanges with its ID alone, and gets a secret when it ceases to be public', async () => {
      const client = await newOauthClient(stack.api, { public: true });
      const { client_id, application, owner } = client;
      expect(application).toMatchObject({ public: true });
      expect(application).not.toHaveProperty('client_secret');
      const form = {
        grant_type: 'authorization_code',
        code: await newCode(client, S256),
        redirect_uri: REDIRECT_URI,
        code_verifier: VERIFIER,
        client_id,
      };
      const withSecret = await postForm(stack.api, '/oauth2/token', { ...form, client_secret: 'x' });
      expectOauthError(withSecret, 401, 'invalid_client_secret');
      const pair = bodyOf<TokenPair>(await postForm(stack.api, '/oauth2/token', form));
      const path = `/oauth2/applications/${client_id}`;
      expectError(await owner.api.post(`${path}/client-secret/reset`), 400, 'BAD_REQUEST');

      const changed = await owner.api.send('PATCH', path, { body: { public: false } });
      expect(changed.headers.get('cache-control')).toContain('no-store');
      const { client_secret } = bodyOf<OwnApplication>(changed);
      const refresh = { grant_type: 'refresh_token', refresh_token: pair.refresh_token, client_id };
      expectOauthError(await postForm(stack.api, '/oauth2/token', refresh), 400, 'invalid_request');
      bodyOf(await postForm(stack.api, '/oauth2/token', { ...refresh, client_secret }));
    });
  });
}
