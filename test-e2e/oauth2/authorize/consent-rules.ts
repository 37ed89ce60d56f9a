import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { bodyOf } from '../../support/expect-status.ts';
import { freshAddress, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { callbackOf, codeOf, exchange, expectOauthError, newApplication, type TokenPair } from '../calls.ts';
import { newOauthClient, type OauthClient, REDIRECT_URI } from '../consent.ts';

const CONSENT = '/oauth2/authorize/consent';

type Body = Readonly<Record<string, unknown>>;

/** The rules of POST /oauth2/authorize/consent, except installations. */
export function consentRules(stack: TestStack, webApp: string): void {
  let client: OauthClient;
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
  });

  const good = () => ({ client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI });
  const consent = (changes: Body = {}, who: Pick<Person, 'api'> = client.person) =>
    who.api.post(CONSENT, { ...good(), ...changes });

  describe('POST /oauth2/authorize/consent', () => {
    it('returns the callback with a code and the state, if any, and Cache-Control: no-store', async () => {
      const reply = await consent({ state: 'b7Xq2' });
      expect(Object.keys(bodyOf<object>(reply))).toEqual(['redirect_to']);
      expect(reply.headers.get('cache-control')).toContain('no-store');
      const callback = callbackOf(reply);
      expect(callback.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
      const members = { code: codeOf(reply), state: 'b7Xq2' };
      expect(Object.fromEntries(callback.searchParams)).toEqual(members);
      for (const state of ['', null, undefined])
        expect([...callbackOf(await consent({ state })).searchParams.keys()]).toEqual(['code']);
      const unknown = await consent({ unknown: 1, prompt: 'none', disable_guild_select: 'x' });
      expect(unknown.status, 'unknown members are ignored').toBe(200);
    });

    it('accepts sessions only', async () => {
      const { application } = client;
      const redirect_uri = REDIRECT_URI;
      const granted = bodyOf<TokenPair>(
        await exchange(stack.api, client, { code: codeOf(await consent()), redirect_uri }),
      );
      const post = (credential: string) =>
        stack.api.from(freshAddress()).as(credential).post(CONSENT, { client_id: 'x' });
      for (const live of [`Bot ${application.bot.token}`, `Bearer ${granted.access_token}`])
        expectError(await post(live), 403, 'ACCESS_DENIED');
      for (const dead of ['', 'Bearer x', `Bot ${client.person.token}`, `Bearer ${granted.refresh_token}`])
        expectError(await post(dead), 401, 'UNAUTHORIZED');
      expectError(await stack.api.from(freshAddress()).post(CONSENT, good()), 401, 'UNAUTHORIZED');
      const bare = stack.api.from(freshAddress()).as(client.person.token);
      bodyOf(await bare.post(CONSENT, good()));
    });

    it('fails with an OAuth2 error code that is also in the message', async () => {
      const hidden = await newOauthClient(stack.api, { bot_public: false });
      const named: [changes: Body, name: string][] = [
        [{ client_id: 'abc' }, 'invalid_client'],
        [{ scope: 'identify nonsense' }, 'invalid_scope'],
        [{ response_type: 'token' }, 'invalid_response_type_for_non_bot'],
        [{ permissions: '0x8' }, 'invalid_permissions_integer'],
        [{ permissions: '-1' }, 'invalid_permissions_negative'],
        [{ redirect_uri: undefined }, 'missing_redirect_uri'],
        [{ redirect_uri: 'https://evil.test/callback' }, 'invalid_redirect_uri'],
        [{ code_challenge_method: 'S256' }, 'invalid_request'],
      ];
      for (const [changes, name] of named) expectOauthError(await consent(changes), 400, name);
      expectError(await consent({ client_id: hidden.client_id, scope: 'bot' }), 403, 'FORBIDDEN');
      expectError(await consent({ guild_id: '1', channel_id: '1' }), 400, 'BAD_REQUEST');
    });

    it('accepts a JSON object and validates the types of its members', async () => {
      const { api } = client.person;
      const json = { 'content-type': 'application/json' };
      for (const body of ['', '[]', 'client_id=1&scope=identify'])
        expectError(await api.post(CONSENT, body, json), 400, 'INVALID_FORM_BODY', {
          body: 'INVALID_FORMAT',
        });
      const strings = [
        'scope',
        'redirect_uri',
        'state',
        'response_type',
        'code_challenge',
        'code_challenge_method',
        'permissions',
      ];
      for (const name of strings)
        for (const value of [5, {}])
          expectError(await consent({ [name]: value }), 400, 'INVALID_FORM_BODY', {
            [name]: 'INVALID_FORMAT',
          });
      for (const name of ['guild_id', 'channel_id'])
        for (const value of ['', '0x1'])
          expectError(await consent({ [name]: value }), 400, 'INVALID_FORM_BODY', {
            [name]: 'INVALID_SNOWFLAKE_FORMAT',
          });
      for (const name of strings)
        expect((await consent({ [name]: 'a\0b' })).status, `a NUL in ${name}`).toBe(400);
      const huge = await consent({ state: 'x'.repeat(64 * 1024) });
      expectError(huge, 413, 'PAYLOAD_TOO_LARGE');
    });

    it('returns a code for scope bot to the web app, if no redirect URI is given or required', async () => {
      const reply = await consent({ scope: 'bot', redirect_uri: undefined, state: 's' });
      const callback = callbackOf(reply);
      expect([callback.origin, callback.pathname]).toEqual([webApp, '/']);
      const code = codeOf(reply);
      expect(Object.fromEntries(callback.searchParams)).toEqual({ code, state: 's' });
      for (const redirect_uri of ['', `${webApp}/`, REDIRECT_URI])
        expectOauthError(await exchange(stack.api, client, { code, redirect_uri }), 400, 'invalid_grant');
      expectOauthError(await exchange(stack.api, client, { code }), 400, 'invalid_grant');
      const pair = bodyOf<TokenPair>(await exchange(stack.api, client, { code, redirect_uri: webApp }));
      expect(pair.scope).toBe('bot');

      const strict = await newApplication(client.owner, {
        redirect_uris: [REDIRECT_URI],
        bot_require_code_grant: true,
      });
      const about = { client_id: strict.id, scope: 'bot' };
      bodyOf(await consent(about));
      const missing = await consent({ ...about, redirect_uri: undefined });
      expectOauthError(missing, 400, 'missing_redirect_uri');
    });
  });

  describe('a challenge at consent', () => {
    const verifier = 'abcDEF0123456789-._~'.padEnd(43, 'x');
    const digest = createHash('sha256').update(verifier).digest('base64url');

    it('accepts only its verifier; a wrong one does not consume the code', async () => {
      const challenges: Body[] = [
        { code_challenge: digest, code_challenge_method: 'S256' },
        { code_challenge: verifier, code_challenge_method: 'plain' },
        { code_challenge: verifier },
      ];
      for (const challenge of challenges) {
        const sent = { code: codeOf(await consent(challenge)), redirect_uri: REDIRECT_URI };
        const wrongs = ['', digest, `${verifier}x`, verifier.slice(1), verifier.toUpperCase()];
        for (const code_verifier of wrongs.filter((wrong) => wrong !== verifier))
          expectOauthError(
            await exchange(stack.api, client, { ...sent, code_verifier }),
            400,
            'invalid_grant',
          );
        expectOauthError(await exchange(stack.api, client, sent), 400, 'invalid_grant');
        bodyOf(await exchange(stack.api, client, { ...sent, code_verifier: verifier }));
      }
    });
  });
}
