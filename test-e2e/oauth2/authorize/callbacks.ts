import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/expect-error.ts';
import { bodyOf } from '../../support/expect-status.ts';
import { freshAddress, newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { callbackOf, exchange, expectOauthError } from '../calls.ts';
import { newOauthClient, type OauthClient, REDIRECT_URI } from '../consent.ts';
import { PRINTABLE } from './authorize.ts';

type Body = Readonly<Record<string, unknown>>;

/** The exact redirects of consent and refusal. */
export function callbacks(stack: TestStack, webApp: string): void {
  let client: OauthClient;
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
  });

  const consent = (changes: Body = {}) =>
    client.person.api.post('/oauth2/authorize/consent', {
      client_id: client.client_id,
      scope: 'identify',
      redirect_uri: REDIRECT_URI,
      ...changes,
    });

  describe('the callback', () => {
    it('appends to the registered URI without changing it; the exchange needs exactly that URI', async () => {
      const uris = [
        'https://client.test',
        'https://client.test/',
        'https://client.test/cb?',
        'https://client.test/cb?x',
        'https://client.test/cb?x=%2F%2f&y=a+b%20c&&z=',
        'https://client.test/cb?code=own&state=own&error=own',
        'https://client.test/%7Euser/%2e%2E/%61//b',
        'https://client.test/a/../b/./c',
        'http://127.0.0.1:1234/cb',
        'http://localhost/cb?a=%5B%5D&b=%7C',
      ];
      const other = await newOauthClient(stack.api, { redirect_uris: uris });
      const about = { client_id: other.client_id, state: 'a b&c=d' };
      for (const redirect_uri of uris) {
        const reply = await consent({ ...about, redirect_uri });
        const { redirect_to } = bodyOf<{ redirect_to: string }>(reply);
        const before = !redirect_uri.includes('?') ? '[?]' : redirect_uri.endsWith('?') ? '' : '&';
        const added = redirect_to.slice(redirect_uri.length);
        expect([redirect_uri, redirect_to.startsWith(redirect_uri)]).toEqual([redirect_uri, true]);
        expect(added, redirect_uri).toMatch(new RegExp(`^${before}code=[\\w-]{43}&state=[^&]+$`));
        const params = new URL(redirect_to).searchParams;
        expect(params.getAll('state').at(-1)).toBe('a b&c=d');
        const code = params.getAll('code').at(-1) ?? '';
        bodyOf(await exchange(stack.api, other, { code, redirect_uri }));
      }
    });

    it('returns every printable character of state', async () => {
      for (const state of [PRINTABLE, 'ä€😀\u200b', 'a\r\nb', ' ']) {
        const callback = callbackOf(await consent({ state }));
        expect([callback.searchParams.get('state'), callback.hash]).toEqual([state, '']);
      }
      const { redirect_to } = bodyOf<{ redirect_to: string }>(await consent({ raw_state: '%FF%FE+a' }));
      expect(redirect_to, 'not UTF-8').toMatch(/&state=%FF%FE\+a$/);
      const long = 'x'.repeat(10_000);
      expect(callbackOf(await consent({ state: long })).searchParams.get('state')).toBe(long);
    });
  });

  describe('POST /oauth2/authorize/refuse', () => {
    const refuse = (changes: Body = {}, who: Pick<Person, 'api'> = client.person) =>
      who.api.post('/oauth2/authorize/refuse', {
        client_id: client.client_id,
        redirect_uri: REDIRECT_URI,
        ...changes,
      });

    it('redirects to the callback with access_denied and the state, if any', async () => {
      const reply = await refuse({ state: PRINTABLE });
      expect(Object.keys(bodyOf<object>(reply))).toEqual(['redirect_to']);
      const callback = callbackOf(reply);
      expect(callback.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
      const members = { error: 'access_denied', state: PRINTABLE };
      expect(Object.fromEntries(callback.searchParams)).toEqual(members);
      for (const state of ['', null])
        expect(callbackOf(await refuse({ state })).search).toBe('?error=access_denied');
    });

    it('redirects only to a registered URI', async () => {
      const elsewhere = { redirect_uri: 'https://evil.test/callback' };
      expectOauthError(await refuse(elsewhere), 400, 'invalid_redirect_uri');
      const without = { redirect_uri: undefined };
      for (const scope of ['identify', 'bot identify'])
        expectOauthError(await refuse({ ...without, scope }), 400, 'missing_redirect_uri');
      const bot = callbackOf(await refuse({ ...without, scope: 'bot' }));
      expect([bot.origin, bot.search]).toEqual([webApp, '?error=access_denied']);
      expectOauthError(await refuse({ client_id: '0x1' }), 400, 'invalid_client');
      expectError(await refuse({ state: 5 }), 400, 'INVALID_FORM_BODY', { state: 'INVALID_FORMAT' });
    });

    it('accepts sessions only', async () => {
      const bot = stack.api.from(freshAddress()).as(`Bot ${client.application.bot.token}`);
      expectError(await refuse({}, { api: bot }), 403, 'ACCESS_DENIED');
      expectError(await refuse({}, { api: stack.api.from(freshAddress()) }), 401, 'UNAUTHORIZED');
      const stranger = await newcomer(stack.api);
      bodyOf(await refuse({}, stranger));
    });
  });
}
