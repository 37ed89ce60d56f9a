import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { freshAddress, type Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import {
  callbackOf,
  codeOf,
  exchange,
  expectOauthError,
  newApplication,
  newClient,
  ok,
  type TokenPair,
} from './calls.ts';
import { newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';
import { OFF } from './foreign-uris.ts';

const CONSENT = '/oauth2/authorize/consent';

type Body = Readonly<Record<string, unknown>>;

/** The rules of POST /oauth2/authorize/consent, but for installations. */
export function consentRules(suite: TestSuite, webApp: string): void {
  let client: OauthClient;
  beforeAll(async () => {
    client = await newOauthClient(suite.api);
  });

  const good = () => ({ client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI });
  const consent = (changes: Body = {}, who: Pick<Person, 'api'> = client.person) =>
    who.api.post(CONSENT, { ...good(), ...changes });

  describe('POST /oauth2/authorize/consent', () => {
    it('answers the callback with a code, and with a state that came, and nothing is to be stored', async () => {
      const reply = await consent({ state: 'b7Xq2' });
      expect(Object.keys(ok<object>(reply))).toEqual(['redirect_to']);
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

    it('is for sessions alone', async () => {
      const { application } = client;
      const redirect_uri = REDIRECT_URI;
      const granted = ok<TokenPair>(
        await exchange(suite.api, client, { code: codeOf(await consent()), redirect_uri }),
      );
      const post = (credential: string) =>
        suite.api.from(freshAddress()).as(credential).post(CONSENT, { client_id: 'x' });
      for (const live of [`Bot ${application.bot.token}`, `Bearer ${granted.access_token}`])
        expectError(await post(live), 403, 'ACCESS_DENIED');
      for (const dead of ['', 'Bearer x', `Bot ${client.person.token}`, `Bearer ${granted.refresh_token}`])
        expectError(await post(dead), 401, 'UNAUTHORIZED');
      expectError(await suite.api.from(freshAddress()).post(CONSENT, good()), 401, 'UNAUTHORIZED');
      const bare = suite.api.from(freshAddress()).as(client.person.token);
      ok(await bare.post(CONSENT, good()));
    });

    it('looks at one thing after the other: of two faults the earlier is told', async () => {
      const hidden = await newClient(suite.api, { redirect_uris: [REDIRECT_URI], bot_public: false });
      const { person } = hidden;
      const sound = { ...good(), scope: 'identify bot' };
      const faults: [name: string, changes: Body, status: number, code: string][] = [
        ['form', { state: 5 }, 400, 'INVALID_FORM_BODY'],
        ['targets', { guild_id: '1', channel_id: '1' }, 400, 'BAD_REQUEST'],
        ['permissions', { permissions: '0x8' }, 400, 'INVALID_PERMISSIONS_INTEGER'],
        ['application', { client_id: '1' }, 400, 'INVALID_CLIENT'],
        ['scopes', { scope: 'identify bot nonsense' }, 400, 'INVALID_SCOPE'],
        ['response type', { response_type: 'token' }, 400, 'INVALID_RESPONSE_TYPE_FOR_NON_BOT'],
        ['private bot', { client_id: hidden.client_id }, 403, 'FORBIDDEN'],
        ['no redirect', { redirect_uri: undefined }, 400, 'MISSING_REDIRECT_URI'],
        ['redirect', { redirect_uri: 'https://evil.test/' }, 400, 'INVALID_REDIRECT_URI'],
        ['PKCE', { code_challenge_method: 'S256' }, 400, 'INVALID_REQUEST'],
        ['installation', { guild_id: '1' }, 404, 'NOT_FOUND'],
      ];
      for (const [index, [name, changes, status, code]] of faults.entries()) {
        expectError(await consent({ ...sound, ...changes }, person), status, code);
        for (const [laterName, later] of faults.slice(index + 1)) {
          const reply = await consent({ ...sound, ...later, ...changes }, person);
          const what = `${name}, ${laterName}`;
          expect([what, reply.status, reply.json<{ code: string }>().code]).toEqual([what, status, code]);
        }
      }
    });

    it('takes a JSON object with members of their types', async () => {
      const { api } = client.person;
      const json = { 'content-type': 'application/json' };
      for (const body of ['', '{', '[]', 'null', '"x"', '5', 'client_id=1&scope=identify', '\0'])
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
        for (const value of [5, true, ['x'], {}])
          expectError(await consent({ [name]: value }), 400, 'INVALID_FORM_BODY', {
            [name]: 'INVALID_FORMAT',
          });
      for (const name of ['guild_id', 'channel_id'])
        for (const value of ['', 'x', '0x1', '01', '-1', '9223372036854775808', ' 1'])
          expectError(await consent({ [name]: value }), 400, 'INVALID_FORM_BODY', {
            [name]: 'INVALID_SNOWFLAKE_FORMAT',
          });
      for (const name of strings)
        expect((await consent({ [name]: 'a\0b' })).status, `a NUL in ${name}`).toBe(400);
      const huge = await consent({ state: 'x'.repeat(64 * 1024) });
      expectError(huge, 413, 'PAYLOAD_TOO_LARGE');
    });

    it('knows the application by a snowflake', async () => {
      const { client_id } = client;
      const wrongs = ['', 'abc', '0x1f', `0${client_id}`, ` ${client_id}`, '-1', '9223372036854775808'];
      for (const wrong of [...wrongs, '1'.repeat(10_000), undefined, null, '1', '0', client.person.user.id])
        expectOauthError(await consent({ client_id: wrong }), 400, 'invalid_client');
    });

    it('splits scopes at whitespace and plus, and grants each once, in alphabetical order', async () => {
      const granted = {
        identify: 'identify',
        'identify email': 'email identify',
        'identify+email': 'email identify',
        '  identify\temail\nidentify\r\n': 'email identify',
        '+guilds++connections+guilds+': 'connections guilds',
        'identify email guilds connections bot': 'bot connections email guilds identify',
      };
      for (const [scope, expected] of Object.entries(granted)) {
        const code = codeOf(await consent({ scope }));
        const pair = await exchange(suite.api, client, { code, redirect_uri: REDIRECT_URI });
        expect([scope, ok<TokenPair>(pair).scope]).toEqual([scope, expected]);
      }
      const wrongs = [
        undefined,
        '',
        ' ',
        '+',
        '\t\n+',
        'Identify',
        'identify,email',
        'identify%20email',
        'identify nonsense',
        'openid',
        'x'.repeat(10_000),
        `${'identify '.repeat(1_000)}x`,
      ];
      for (const scope of wrongs) expectOauthError(await consent({ scope }), 400, 'invalid_scope');
      ok(await consent({ scope: 'identify '.repeat(1_000) }));
    });

    it('wants response_type code, but for the bot alone', async () => {
      ok(await consent({ response_type: 'code' }));
      for (const response_type of ['token', 'Code', 'code ', 'code token', 'none'])
        for (const scope of ['identify', 'identify bot'])
          expectOauthError(await consent({ scope, response_type }), 400, 'invalid_response_type_for_non_bot');
      ok(await consent({ scope: 'bot', response_type: 'token' }));
    });

    it('leads nowhere but to exactly what is registered', async () => {
      for (const redirect_uri of OFF.filter((uri) => !uri.includes('\0')))
        for (const scope of ['identify', 'bot', 'identify bot'])
          expectOauthError(await consent({ scope, redirect_uri }), 400, 'invalid_redirect_uri');
      for (const scope of ['identify', 'identify bot'])
        expectOauthError(await consent({ scope, redirect_uri: undefined }), 400, 'missing_redirect_uri');
      const bare = await newClient(suite.api);
      const refused = await consent({ client_id: bare.client_id });
      expectOauthError(refused, 400, 'invalid_redirect_uri');
    });

    it('gives the code of the bot alone to the web app, if no redirect is named or needed', async () => {
      const reply = await consent({ scope: 'bot', redirect_uri: undefined, state: 's' });
      const callback = callbackOf(reply);
      expect([callback.origin, callback.pathname]).toEqual([webApp, '/']);
      const code = codeOf(reply);
      expect(Object.fromEntries(callback.searchParams)).toEqual({ code, state: 's' });
      for (const redirect_uri of ['', `${webApp}/`, REDIRECT_URI])
        expectOauthError(await exchange(suite.api, client, { code, redirect_uri }), 400, 'invalid_grant');
      expectOauthError(await exchange(suite.api, client, { code }), 400, 'invalid_grant');
      const pair = ok<TokenPair>(await exchange(suite.api, client, { code, redirect_uri: webApp }));
      expect(pair.scope).toBe('bot');

      const strict = await newApplication(client.owner, {
        redirect_uris: [REDIRECT_URI],
        bot_require_code_grant: true,
      });
      const about = { client_id: strict.id, scope: 'bot' };
      ok(await consent(about));
      const missing = await consent({ ...about, redirect_uri: undefined });
      expectOauthError(missing, 400, 'missing_redirect_uri');
    });

    it('keeps a private bot for its owner, and a private application open to other scopes', async () => {
      const hidden = await newClient(suite.api, { redirect_uris: [REDIRECT_URI], bot_public: false });
      const { client_id } = hidden;
      for (const scope of ['bot', 'identify bot']) {
        expectError(await consent({ client_id, scope }), 403, 'FORBIDDEN');
        ok(await consent({ client_id, scope }, hidden.owner));
      }
      ok(await consent({ client_id }));
    });

    it('takes permissions of digits, however many', async () => {
      const sound = ['0', '00', '8', '0000000000000000008', '9'.repeat(300), String(2n ** 64n), null];
      for (const permissions of sound) ok(await consent({ permissions }));
      const wrongs = [
        '',
        ' ',
        '+8',
        '8 ',
        ' 8',
        '\t8',
        '0x8',
        '1e3',
        '8.0',
        '1_000',
        '-',
        '--1',
        '- 1',
        '８',
        'x',
      ];
      for (const permissions of wrongs)
        expectOauthError(await consent({ permissions }), 400, 'invalid_permissions_integer');
      for (const permissions of ['-1', '-9', `-${'9'.repeat(300)}`, '-01'])
        expectOauthError(await consent({ permissions }), 400, 'invalid_permissions_negative');
      for (const permissions of ['x', '-1'])
        expect((await consent({ permissions, scope: 'bot' })).status).toBe(400);
    });
  });

  describe('a challenge at consent', () => {
    const verifier = 'abcDEF0123456789-._~'.padEnd(43, 'x');
    const digest = createHash('sha256').update(verifier).digest('base64url');

    it('has the form that its method wants', async () => {
      const sound: Body[] = [
        { code_challenge: digest, code_challenge_method: 'S256' },
        { code_challenge: 'x'.repeat(128), code_challenge_method: 'S256' },
        { code_challenge: 'x', code_challenge_method: 'plain' },
        { code_challenge: 'x' },
        { code_challenge: '~'.repeat(128) },
        { code_challenge: '' },
        { code_challenge: null, code_challenge_method: null },
      ];
      for (const changes of sound) ok(await consent(changes));
      const wrongs: Body[] = [
        { code_challenge_method: 'S256' },
        { code_challenge_method: 'plain' },
        { code_challenge: '', code_challenge_method: 'S256' },
        { code_challenge: digest, code_challenge_method: 's256' },
        { code_challenge: digest, code_challenge_method: 'S512' },
        { code_challenge: digest, code_challenge_method: 'Plain' },
        { code_challenge: digest.slice(1), code_challenge_method: 'S256' },
        { code_challenge: 'x'.repeat(129), code_challenge_method: 'S256' },
        { code_challenge: `${digest}=`, code_challenge_method: 'S256' },
        { code_challenge: digest.replace(/^./, '+'), code_challenge_method: 'S256' },
        { code_challenge: 'x'.repeat(129) },
        { code_challenge: 'a b' },
        { code_challenge: 'ä' },
        { code_challenge: 'x/y' },
      ];
      for (const changes of wrongs) expectOauthError(await consent(changes), 400, 'invalid_request');
    });

    it('is answered by its verifier alone, and a wrong one does not use up the code', async () => {
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
            await exchange(suite.api, client, { ...sent, code_verifier }),
            400,
            'invalid_grant',
          );
        expectOauthError(await exchange(suite.api, client, sent), 400, 'invalid_grant');
        ok(await exchange(suite.api, client, { ...sent, code_verifier: verifier }));
      }
    });
  });
}
