import { BUCKETS, type BucketName } from '@gatehouse/proto/buckets';
import { describe, expect, it } from 'vitest';
import { type Burst, burst } from '../rate-limit/burst.ts';
import { expectBucketDenial, isBucketDenial } from '../rate-limit/expect-denial.ts';
import { type Api, type Reply, withGlobalRetry } from '../support/api.ts';
import { bodyOf } from '../support/expect-status.ts';
import { freshAddress } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { exchange, FORM, type TokenPair } from './calls.ts';
import { newCode, newOauthClient, REDIRECT_URI } from './consent.ts';

/** The buckets of the OAuth2 routes (docs/rate-limits.md#buckets). */
export function oauth2Buckets(stack: TestStack): void {
  /** Expects the bucket's limit plus the drained tokens to be admitted, and the rest to be denied by this bucket. */
  const expectLimit = ({ replies, seconds }: Burst, bucket: BucketName) => {
    const { limit, window_seconds } = BUCKETS[bucket];
    const denied = replies.filter(isBucketDenial);
    const admitted = replies.length - denied.length;
    expect(admitted).toBeGreaterThanOrEqual(limit);
    expect(admitted).toBeLessThanOrEqual(limit + Math.ceil((seconds * limit) / window_seconds));
    for (const reply of denied.slice(-1)) expectBucketDenial(reply, bucket);
    expect(denied.length).toBeGreaterThan(0);
  };
  const visitor = (): Api => withGlobalRetry(stack.api.from(freshAddress()));
  const inTurn =
    (...calls: (() => Promise<Reply>)[]) =>
    (n: number) =>
      (calls[n % calls.length] ?? visitor().get.bind(undefined, '/'))();

  describe('the limits of the OAuth2 routes', () => {
    it('oauth:authorize is shared by all callers at an address, for authorization, consent and refusal', async () => {
      const { person } = await newOauthClient(stack.api);
      const address = freshAddress();
      const anybody = stack.api.from(address);
      const signedIn = withGlobalRetry(anybody.as(`Bearer ${person.token}`));
      const sent = await burst(
        100,
        inTurn(
          () => anybody.get('/oauth2/authorize'),
          () => anybody.get('/oauth2/authorize?prompt=none'),
          () => signedIn.post('/oauth2/authorize/consent', {}),
          () => withGlobalRetry(anybody).post('/oauth2/authorize/consent', {}),
        ),
      );
      expectLimit(sent, 'oauth:authorize');
      expect((await visitor().get('/oauth2/authorize')).status).toBe(302);
    });

    it('oauth:token counts every request of an address', async () => {
      const api = visitor();
      const sent = await burst(
        190,
        inTurn(
          () => api.post('/oauth2/token', 'grant_type=x', FORM),
          () => api.post('/oauth2/token', '{}', { 'content-type': 'application/json' }),
        ),
      );
      expectLimit(sent, 'oauth:token');
      expect((await api.post('/oauth2/introspect', 'token=x', FORM)).status).toBe(400);
    });

    it('oauth:introspect is shared by introspection and revocation of an address', async () => {
      const api = visitor();
      const sent = await burst(
        190,
        inTurn(
          () => api.post('/oauth2/introspect', 'token=x', FORM),
          () => api.post('/oauth2/token/revoke', 'token=x', FORM),
        ),
      );
      expectLimit(sent, 'oauth:introspect');
    });

    it('oauth:introspect counts userinfo per access token, and revocations per account', async () => {
      const client = await newOauthClient(stack.api);
      const code = await newCode(client);
      const pair = bodyOf<TokenPair>(await exchange(stack.api, client, { code, redirect_uri: REDIRECT_URI }));
      const asked = await burst(190, () =>
        visitor().as(`Bearer ${pair.access_token}`).get('/oauth2/userinfo'),
      );
      expectLimit(asked, 'oauth:introspect');

      const account = () => visitor().as(`Bearer ${client.person.token}`);
      const revoked = await burst(
        190,
        inTurn(
          () => account().send('DELETE', '/oauth2/@me/authorizations/1'),
          () => account().post('/oauth2/@me/authorizations/revoke', { application_ids: [] }),
        ),
      );
      expectLimit(revoked, 'oauth:introspect');
    });

    it('oauth_dev:clients:list is shared by an account’s list and read routes', async () => {
      const { person } = await newOauthClient(stack.api);
      const account = () => visitor().as(`Bearer ${person.token}`);
      const sent = await burst(
        100,
        inTurn(
          () => account().get('/oauth2/@me/authorizations'),
          () => account().get('/oauth2/applications/@me'),
          () => account().get('/oauth2/applications/1/public'),
          () => account().get('/oauth2/applications/1'),
        ),
      );
      expectLimit(sent, 'oauth_dev:clients:list');
    });
  });
}
