import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { bodyOf } from '../support/expect-status.ts';
import type { Person } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { credentialsOf, exchange, expectOauthError, postForm, type TokenPair } from './calls.ts';
import { newCode, newOauthClient, type OauthClient } from './consent.ts';
import { grantTokens } from './grant-tokens.ts';

const BULK = '/oauth2/@me/authorizations/revoke';

/** A user lists and revokes authorizations. */
export function authorizations(stack: TestStack): void {
  const isActive = async (client: OauthClient, token: string): Promise<boolean> => {
    const reply = await postForm(stack.api, '/oauth2/introspect', { ...credentialsOf(client), token });
    return bodyOf<{ active: boolean }>(reply).active;
  };
  const refresh = (client: OauthClient, { refresh_token }: TokenPair) =>
    exchange(stack.api, client, { grant_type: 'refresh_token', refresh_token });
  const listed = async ({ api }: Person) =>
    bodyOf<{ application: { id: string }; scopes: string[] }[]>(await api.get('/oauth2/@me/authorizations'));
  /** Two clients, and one person who authorizes both. */
  const two = async () => {
    const first = await newOauthClient(stack.api);
    const second = { ...(await newOauthClient(stack.api)), person: first.person };
    return { first, second, person: first.person };
  };

  describe('the authorizations of a user', () => {
    it('are the applications with valid access tokens, each with the union of their scopes', async () => {
      const { first, second, person } = await two();
      expect(await listed(person)).toEqual([]);
      await newCode(first);
      expect(await listed(person), 'a code is not a token').toEqual([]);
      await grantTokens(stack.api, first, 'identify');
      await grantTokens(stack.api, first, 'guilds email');
      await grantTokens(stack.api, second, 'connections');
      const entries = await listed(person);
      expect(entries).toHaveLength(2);
      const of = (client: OauthClient) =>
        entries.find(({ application }) => application.id === client.client_id);
      const { id, name } = first.application;
      expect(of(first)).toEqual({ application: { id, name }, scopes: expect.any(Array) });
      expect(of(first)?.scopes.toSorted()).toEqual(['email', 'guilds', 'identify']);
      expect(of(second)?.scopes).toEqual(['connections']);
      expect(await listed(first.owner)).toEqual([]);
    });

    it('are revoked one by one, also by an unknown ID; refresh tokens stay valid', async () => {
      const { first, second, person } = await two();
      const pairs = [
        await grantTokens(stack.api, first, 'identify'),
        await grantTokens(stack.api, first, 'email'),
      ] as const;
      const kept = await grantTokens(stack.api, second, 'identify');
      const end = (id: string) => person.api.send('DELETE', `/oauth2/@me/authorizations/${id}`);
      for (const id of [first.client_id, first.client_id, '0', '1', '9223372036854775807', person.user.id]) {
        const reply = await end(id);
        expect([id, reply.status, reply.text]).toEqual([id, 204, '']);
      }
      for (const wrong of ['x', '0x1', '01', '-1', '%20', '9223372036854775808', '1'.repeat(3_000)]) {
        const { errors = [] } = expectError(await end(wrong), 400, 'INVALID_FORM_BODY');
        expect(errors.map(({ code }) => code)).toEqual(['INVALID_SNOWFLAKE_FORMAT']);
      }
      expect(await listed(person)).toMatchObject([{ application: { id: second.client_id } }]);
      for (const pair of pairs) {
        expect(await isActive(first, pair.access_token)).toBe(false);
        expect(await isActive(first, pair.refresh_token)).toBe(true);
        const renewed = bodyOf<TokenPair>(await refresh(first, pair));
        expect(await isActive(first, renewed.access_token)).toBe(true);
      }
      expect(await isActive(second, kept.access_token)).toBe(true);
      expect((await listed(person)).length).toBe(2);
    });

    it('are not revoked by a request without application_ids', async () => {
      const { person } = await newOauthClient(stack.api);
      for (const body of [{}, { application_ids: null }, { ids: ['1'] }])
        expectError(await person.api.post(BULK, body), 400, 'INVALID_FORM_BODY');
    });

    it("are revoked in bulk with their refresh tokens; other users' tokens stay valid", async () => {
      const { first, second, person } = await two();
      const pair = await grantTokens(stack.api, first, 'identify');
      const other = await grantTokens(stack.api, second, 'email');
      const ids = [first.client_id, second.client_id];
      const stranger = { ...first, person: first.owner };
      const left = await grantTokens(stack.api, stranger, 'identify');
      const application_ids = [...ids, ...ids];
      const done = await person.api.post(BULK, { application_ids });
      expect([done.status, done.text]).toEqual([204, '']);
      for (const token of [pair.access_token, pair.refresh_token, other.access_token, other.refresh_token])
        expect(await isActive(first, token)).toBe(false);
      expectOauthError(await refresh(first, pair), 400, 'invalid_grant');
      expectOauthError(await refresh(second, other), 400, 'invalid_grant');
      expect(await isActive(first, left.access_token)).toBe(true);
      bodyOf(await refresh(stranger, left));
      expect(await listed(person)).toEqual([]);
      for (const again of [[], ids])
        expect((await person.api.post(BULK, { application_ids: again })).status).toBe(204);
    });
  });
}
