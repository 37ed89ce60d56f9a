import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodyOf } from '../../support/expect-status.ts';
import type { SessionAnswer } from '../../support/objects.ts';
import { freshAddress, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';
import { credentialsOf, exchange, newApplication, postForm, type TokenPair } from '../calls.ts';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from '../consent.ts';
import { grantTokens } from '../grant-tokens.ts';
import { PRINTABLE } from './authorize.ts';

/** The sign-in cookie of a person's session, as a Cookie header. */
async function cookieOf({ api }: Person): Promise<string> {
  const { status, headers } = await api.post('/auth/browser-session');
  expect(status).toBe(204);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

interface Changes {
  readonly prompt?: string | undefined;
  readonly client_id?: string | undefined;
  readonly scope?: string | undefined;
  readonly response_type?: string;
  readonly redirect_uri?: string | undefined;
  readonly state?: string | undefined;
  readonly code_challenge?: string;
  readonly code_challenge_method?: string;
  readonly guild_id?: string;
  readonly channel_id?: string;
  readonly permissions?: string;
}

/** GET /oauth2/authorize with prompt=none. */
export function silentAuthorization(stack: TestStack, webApp: string): void {
  let client: OauthClient;
  let granted: TokenPair;
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
    granted = await grantTokens(stack.api, client, 'identify email');
  });

  const ask = async (changes: Changes = {}, credential?: string, cookie?: string): Promise<URL> => {
    const query = {
      client_id: client.client_id,
      scope: 'identify email',
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      state: 's',
      prompt: 'none',
      ...changes,
    };
    const written = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) written.set(name, value);
    const api = stack.api.from(freshAddress());
    const reply = await (credential === undefined ? api : api.as(credential)).get(
      `/oauth2/authorize?${written}`,
      cookie === undefined ? {} : { cookie },
    );
    expect([reply.status, reply.text], String(written)).toEqual([302, '']);
    return new URL(reply.headers.get('location') ?? '');
  };
  const session = () => `Bearer ${client.person.token}`;
  const base = (url: URL) => url.href.slice(0, url.href.length - url.search.length).replace(/\/$/, '');

  /** Expects a redirect to `target` with exactly the error and the state. */
  const expectRefused = (url: URL, target: string, error: string, what = '', state: string | null = 's') => {
    const members = state === null ? { error } : { error, state };
    expect([what, base(url), Object.fromEntries(url.searchParams)]).toEqual([what, target, members]);
    expect(url.hash).toBe('');
  };
  const expectGranted = (url: URL, target: string, what = '') => {
    expect([what, base(url), [...url.searchParams.keys()].sort()]).toEqual([what, target, ['code', 'state']]);
    expect(url.searchParams.get('state')).toBe('s');
    return url.searchParams.get('code') ?? '';
  };

  describe('GET /oauth2/authorize with prompt=none', () => {
    it('returns a valid code to a user who granted all requested scopes before', async () => {
      for (const scope of ['identify email', 'email', 'identify+email+identify', ' email\tidentify ']) {
        for (const credential of [session(), client.person.token]) {
          const code = expectGranted(await ask({ scope }, credential), REDIRECT_URI, scope);
          const pair = await exchange(stack.api, client, { code, redirect_uri: REDIRECT_URI });
          expect(bodyOf<TokenPair>(pair).scope).toBe(scope === 'email' ? 'email' : 'email identify');
        }
      }
    });

    it('is consent_required for a scope without a valid access token of this user and application', async () => {
      const refused = async (changes: Changes, credential = session()) =>
        expectRefused(await ask(changes, credential), REDIRECT_URI, 'consent_required', changes.scope);
      for (const scope of ['guilds', 'identify guilds', 'identify email connections', 'guilds bot'])
        await refused({ scope });
      await refused({}, `Bearer ${client.owner.token}`);
      const other = await newApplication(client.owner, { redirect_uris: [REDIRECT_URI] });
      await refused({ client_id: other.id });

      const fresh = await newOauthClient(stack.api);
      const about = { client_id: fresh.client_id };
      const credential = `Bearer ${fresh.person.token}`;
      await newCode(fresh);
      await refused(about, credential); // a code that was not exchanged grants nothing
      await grantTokens(stack.api, fresh, 'email');
      await refused(about, credential);
      await grantTokens(stack.api, fresh, 'identify');
      expectGranted(await ask(about, credential), REDIRECT_URI, 'with the scopes of two tokens');
      const path = `/oauth2/@me/authorizations/${fresh.client_id}`;
      expect((await fresh.person.api.send('DELETE', path)).status).toBe(204);
      await refused(about, credential);
    });

    it('needs no earlier grant for scope bot, and installs nothing', async () => {
      const fresh = await newOauthClient(stack.api);
      const credential = `Bearer ${fresh.person.token}`;
      const guild = bodyOf<{ id: string }>(await fresh.person.api.post('/guilds', { name: 'Workshop' }));
      const about = { client_id: fresh.client_id, scope: 'bot', guild_id: guild.id, permissions: '8' };
      const at = expectGranted(await ask({ ...about, redirect_uri: undefined }, credential), webApp);
      expectGranted(await ask(about, credential), REDIRECT_URI);
      const pair = bodyOf<TokenPair>(await exchange(stack.api, fresh, { code: at, redirect_uri: webApp }));
      expect(pair.scope).toBe('bot');
      expectRefused(
        await ask({ ...about, scope: 'bot identify' }, credential),
        REDIRECT_URI,
        'consent_required',
      );
      await grantTokens(stack.api, fresh, 'identify');
      expectGranted(await ask({ ...about, scope: 'bot identify' }, credential), REDIRECT_URI);
      const members = bodyOf<unknown[]>(await fresh.person.api.get(`/guilds/${guild.id}/members`));
      expect(members).toHaveLength(1);
    });

    it('is login_required without a valid session', async () => {
      const { email, password } = client.person;
      const login = bodyOf<SessionAnswer>(
        await stack.api.from(freshAddress()).post('/auth/login', { email, password }),
      );
      await stack.api.as(`Bearer ${login.token}`).post('/auth/logout');
      const nobodies = {
        none: undefined,
        empty: '',
        bot: `Bot ${client.application.bot.token}`,
        'access token': `Bearer ${granted.access_token}`,
        'refresh token': `Bearer ${granted.refresh_token}`,
        'dead session': `Bearer ${login.token}`,
        'unknown session': `Bearer gth_${'A'.repeat(36)}`,
        'two spaces': `Bearer  ${client.person.token}`,
        'lower case': `bearer ${client.person.token}`,
        basic: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}`,
      };
      for (const [name, credential] of Object.entries(nobodies)) {
        expectRefused(await ask({}, credential), REDIRECT_URI, 'login_required', name);
        expectRefused(await ask({ scope: 'guilds' }, credential), REDIRECT_URI, 'login_required', name);
        expectRefused(
          await ask({ state: undefined }, credential),
          REDIRECT_URI,
          'login_required',
          name,
          null,
        );
        const off = { redirect_uri: 'https://evil.test/callback' };
        expectRefused(await ask(off, credential), webApp, 'login_required', name);
      }
    });

    it('is consent_required for any other failure', async () => {
      const atWebApp: Changes[] = [
        { client_id: '1' },
        { redirect_uri: undefined },
        { redirect_uri: 'https://evil.test/callback' },
        { redirect_uri: 'https://client.test\\callback' },
      ];
      for (const changes of atWebApp)
        expectRefused(await ask(changes, session()), webApp, 'consent_required', JSON.stringify(changes));
      const atCallback: Changes[] = [
        { scope: undefined },
        { response_type: 'token' },
        { code_challenge_method: 'S256' },
        { guild_id: '1', channel_id: '1' },
        { permissions: 'x' },
        { permissions: '-1' },
      ];
      for (const changes of atCallback)
        expectRefused(
          await ask(changes, session()),
          REDIRECT_URI,
          'consent_required',
          JSON.stringify(changes),
        );
    });

    it('binds the code to the challenge', async () => {
      const verifier = 'v'.repeat(43);
      const digest = createHash('sha256').update(verifier).digest('base64url');
      const challenges: Changes[] = [
        { code_challenge: digest, code_challenge_method: 'S256' },
        { code_challenge: verifier, code_challenge_method: 'plain' },
        { code_challenge: verifier },
      ];
      for (const challenge of challenges) {
        const code = expectGranted(await ask(challenge, session()), REDIRECT_URI);
        const sent = { code, redirect_uri: REDIRECT_URI };
        for (const wrong of [{}, { code_verifier: '' }, { code_verifier: digest.replace(/^./, '_') }])
          expect((await exchange(stack.api, client, { ...sent, ...wrong })).status).toBe(400);
        bodyOf(await exchange(stack.api, client, { ...sent, code_verifier: verifier }));
      }
    });

    it('returns every printable character of state, with a code and with an error', async () => {
      for (const state of [PRINTABLE, 'ä€😀\u200b', 'a\r\nLocation: https://evil.test']) {
        const url = await ask({ state }, session());
        expect([base(url), url.searchParams.get('state')]).toEqual([REDIRECT_URI, state]);
        expect(url.searchParams.getAll('code')).toHaveLength(1);
        expectRefused(await ask({ state }), REDIRECT_URI, 'login_required', state, state);
      }
      expectRefused(await ask({ state: '' }), REDIRECT_URI, 'login_required', 'empty', null);
      const url = await ask({ state: '' }, session());
      expect([...url.searchParams.keys()]).toEqual(['code']);
    });

    it('knows the user by the sign-in cookie alone', async () => {
      const fresh = await newOauthClient(stack.api);
      const { api } = fresh.person;
      const cookie = await cookieOf(fresh.person);
      const byCookie = (changes: Changes = {}) =>
        ask({ client_id: fresh.client_id, ...changes }, undefined, cookie);
      const page = await ask({ client_id: fresh.client_id, prompt: undefined }, undefined, cookie);
      expect(base(page)).toBe(`${webApp}/oauth2/authorize`);
      expectRefused(await byCookie(), REDIRECT_URI, 'consent_required', 'before the first grant');
      await grantTokens(stack.api, fresh, 'identify email');
      const code = expectGranted(await byCookie(), REDIRECT_URI);
      const pair = await exchange(stack.api, fresh, { code, redirect_uri: REDIRECT_URI });
      expect(bodyOf<TokenPair>(pair).scope).toBe('email identify');
      expectRefused(await byCookie({ scope: 'guilds' }), REDIRECT_URI, 'consent_required');
      expectRefused(await byCookie({ client_id: 'x' }), webApp, 'invalid_client');
      const elsewhere = 'https://evil.test/callback';
      expectRefused(await byCookie({ redirect_uri: elsewhere }), webApp, 'consent_required');
      const both = `${cookie}; ${cookie}`;
      expectRefused(
        await ask({ client_id: fresh.client_id }, undefined, both),
        REDIRECT_URI,
        'login_required',
        'two cookies',
      );

      let isOver = false;
      const late: URL[] = [];
      const callers = Array.from({ length: 8 }, async () => {
        for (let calls = 0; calls < 12; calls++) {
          const beganLate = isOver;
          const url = await byCookie();
          if (beganLate && url.searchParams.has('code')) late.push(url);
        }
      });
      expect((await api.post('/auth/logout')).status).toBe(204);
      isOver = true;
      await Promise.all(callers);
      expect(late).toEqual([]);
      expectRefused(await byCookie(), REDIRECT_URI, 'login_required', 'after signing out');
    });

    it('fails once the application is deleted', async () => {
      const fresh = await newOauthClient(stack.api);
      await grantTokens(stack.api, fresh, 'identify email');
      const about = { client_id: fresh.client_id };
      const credential = `Bearer ${fresh.person.token}`;
      const code = expectGranted(await ask(about, credential), REDIRECT_URI);
      const path = `/oauth2/applications/${fresh.client_id}`;
      expect((await fresh.owner.api.send('DELETE', path)).status).toBe(204);
      expectRefused(await ask(about, credential), webApp, 'consent_required');
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      const dead = await postForm(stack.api, '/oauth2/token', { ...form, ...credentialsOf(fresh) });
      expect(dead.status, dead.text).toBe(400);
    });
  });
}
