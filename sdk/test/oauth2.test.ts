import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createClient,
  memoryTokenStore,
  OAuth2Client,
  RateLimitError,
  type TokenStore,
  type Tokens,
} from '../src/index.ts';
import { type Answer, cut, denied, json, serve } from './support/http-server.ts';

const REQUEST = { redirectUri: 'https://clock.example/callback?a=b', scopes: ['identify', 'guilds'] };

function pair(n: number, expires_in = 604_800): Answer {
  return json({
    access_token: `a${n}`,
    refresh_token: `r${n}`,
    expires_in,
    token_type: 'Bearer',
    scope: 'guilds identify',
  });
}

function stored(n: number, expiresIn = 3_600): Tokens {
  return {
    accessToken: `a${n}`,
    refreshToken: `r${n}`,
    expiresAt: Date.now() + expiresIn * 1000,
    scopes: ['identify'],
  };
}

function oauthError(code: string, status = 400): Answer {
  return json({ error: `${status}`, code, message: `${code.toLowerCase()}.` }, status);
}

const confidential = (baseUrl: string) => new OAuth2Client({ baseUrl, clientId: '5', clientSecret: 's:+ü' });

describe('an authorization', () => {
  it('begins with a state and an S256 challenge that nobody can guess', async () => {
    const oauth2 = new OAuth2Client({ baseUrl: 'https://chat.example', clientId: '5' });
    const [started, another] = await Promise.all([oauth2.start(REQUEST), oauth2.start(REQUEST)]);
    const url = new URL(started.url);
    expect(url.origin + url.pathname).toBe('https://chat.example/api/v1/oauth2/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: '5',
      redirect_uri: REQUEST.redirectUri,
      scope: 'identify guilds',
      state: started.state,
      code_challenge: createHash('sha256').update(started.codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    for (const text of [started.state, started.codeVerifier]) expect(text).toMatch(/^[\w-]{43}$/);
    expect(new Set([started.state, started.codeVerifier, another.state, another.codeVerifier]).size).toBe(4);
  });

  it('ends with tokens: the code is exchanged with Basic and the verifier', async () => {
    const { baseUrl, requests } = await serve(pair(1));
    const oauth2 = confidential(baseUrl);
    const started = await oauth2.start(REQUEST);
    const tokens = await oauth2.finish(`${REQUEST.redirectUri}&code=c%2B1&state=${started.state}#x`, started);
    expect(tokens).toMatchObject({ accessToken: 'a1', refreshToken: 'r1', scopes: ['guilds', 'identify'] });
    expect(tokens.expiresAt).toBeGreaterThan(Date.now() + 604_000_000);
    expect(requests).toMatchObject([{ method: 'POST', url: '/api/v1/oauth2/token' }]);
    const { headers, body } = requests[0] ?? { headers: {}, body: '' };
    expect(headers.authorization).toBe(`Basic ${btoa('5:s%3A%2B%C3%BC')}`);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'authorization_code',
      code: 'c+1',
      redirect_uri: REQUEST.redirectUri,
      code_verifier: started.codeVerifier,
    });
  });

  it('of a public application sends its ID and no credential', async () => {
    const { baseUrl, requests } = await serve(pair(1));
    const oauth2 = new OAuth2Client({ baseUrl, clientId: '5' });
    await oauth2.exchangeCode({ code: 'c', redirectUri: REQUEST.redirectUri, codeVerifier: 'v' });
    expect(requests[0]?.headers.authorization).toBeUndefined();
    expect(new URLSearchParams(requests[0]?.body).get('client_id')).toBe('5');
  });

  it.each([
    ['?code=c&state=other', 'state_mismatch'],
    ['?code=c', 'state_mismatch'],
    ['?error=access_denied&state=s', 'access_denied'],
    ['?state=s', 'invalid_callback'],
  ])('with the callback %s ends with %s, and sends nothing', async (callback, error) => {
    const { baseUrl, requests } = await serve(pair(1));
    const started = { state: 's', codeVerifier: 'v', redirectUri: REQUEST.redirectUri };
    const ended = confidential(baseUrl).finish(`https://clock.example/callback${callback}`, started);
    await expect(ended).rejects.toMatchObject({ name: 'OAuth2Error', error });
    expect(requests).toEqual([]);
  });

  it('whose code is refused ends with ApiError, and is not repeated after a cut connection', async () => {
    const { baseUrl, requests } = await serve(oauthError('INVALID_GRANT'), cut, json('nothing'));
    const oauth2 = confidential(baseUrl);
    const grant = { code: 'c', redirectUri: REQUEST.redirectUri };
    await expect(oauth2.exchangeCode(grant)).rejects.toMatchObject({ status: 400, code: 'INVALID_GRANT' });
    await expect(oauth2.exchangeCode(grant)).rejects.toMatchObject({ name: 'NetworkError' });
    await expect(oauth2.exchangeCode(grant)).rejects.toMatchObject({ error: 'invalid_answer' });
    expect(requests).toHaveLength(3);
  });
});

it('introspects and revokes', async () => {
  const { baseUrl, requests } = await serve(json({ active: true, sub: '7' }), (response) => response.end());
  const oauth2 = confidential(baseUrl);
  expect(await oauth2.introspect('t')).toEqual({ active: true, sub: '7' });
  await oauth2.revoke('t', 'refresh_token');
  expect(requests.map(({ url, body }) => [url, body])).toEqual([
    ['/api/v1/oauth2/introspect', 'token=t'],
    ['/api/v1/oauth2/token/revoke', 'token=t&token_type_hint=refresh_token'],
  ]);
});

describe('a token source', () => {
  it('refreshes once for all callers in the process, of all its copies', async () => {
    const { baseUrl, requests } = await serve(pair(2));
    const store = memoryTokenStore(stored(1, 30));
    const sources = [confidential(baseUrl).tokenSource(store), confidential(baseUrl).tokenSource(store)];
    const callers = Array.from({ length: 500 }, (_, n) => sources[n % 2]?.accessToken());
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['a2']));
    expect(requests).toHaveLength(1);
    expect(await store.get()).toMatchObject({ accessToken: 'a2', refreshToken: 'r2' });
  });

  it('refreshes once for many calls whose token is refused', async () => {
    const api = await serve((response, request, n) => {
      const isFresh = request.headers.authorization === 'Bearer a2';
      (isFresh ? json([]) : oauthError('UNAUTHORIZED', 401))(response, request, n);
    });
    const { baseUrl, requests } = await serve(pair(2));
    const accessToken = confidential(baseUrl).tokenSource(memoryTokenStore(stored(1)));
    const client = createClient({ baseUrl: api.baseUrl, accessToken });
    await Promise.all(Array.from({ length: 50 }, () => client.GET('/users/@me/guilds')));
    expect([requests.length, api.requests.length]).toEqual([1, 100]);
  });

  it('gives nobody the new pair before it is stored, and stores it later if that failed', async () => {
    const { baseUrl, requests } = await serve(pair(2), pair(3));
    const inner = memoryTokenStore(stored(1, 0));
    let isBroken = true;
    const store: TokenStore = {
      get: inner.get,
      set: (tokens) => (isBroken ? Promise.reject(new Error('disk full')) : inner.set(tokens)),
    };
    const source = confidential(baseUrl).tokenSource(store);
    await expect(source.accessToken()).rejects.toMatchObject({ problem: 'not_stored' });
    await expect(source.accessToken()).rejects.toMatchObject({ problem: 'not_stored' });
    isBroken = false;
    expect(await source.accessToken()).toBe('a2');
    expect((await inner.get())?.refreshToken).toBe('r2');
    expect(requests, 'the pair was not asked for again').toHaveLength(1);
  });

  it('does not store an unsaved pair over the tokens of a later sign-in', async () => {
    const { baseUrl } = await serve(pair(2));
    const inner = memoryTokenStore(stored(1, 0));
    const store: TokenStore = { get: inner.get, set: () => Promise.reject(new Error('disk full')) };
    const source = confidential(baseUrl).tokenSource(store);
    await expect(source.accessToken()).rejects.toMatchObject({ problem: 'not_stored' });
    await inner.set(stored(7));
    expect(await source.accessToken()).toBe('a7');
    expect(await inner.get()).toMatchObject({ refreshToken: 'r7' });
  });

  it('of several processes: with a lock one refreshes', async () => {
    const { baseUrl, requests } = await serve(pair(2));
    const shared = memoryTokenStore(stored(1, 0));
    let queue: Promise<unknown> = Promise.resolve();
    /** As each process has it: the store is an object of its own, and the lock is the same. */
    const processStore = (): TokenStore => ({
      get: shared.get,
      set: shared.set,
      lock: (work) => {
        const turn = queue.then(work);
        queue = turn.catch(() => undefined);
        return turn;
      },
    });
    const sources = [1, 2, 3].map(() => confidential(baseUrl).tokenSource(processStore()));
    expect(await Promise.all(sources.map((source) => source.accessToken()))).toEqual(['a2', 'a2', 'a2']);
    expect(requests).toHaveLength(1);
  });

  it("of several processes: without a lock the loser finds the winner's tokens", async () => {
    const shared = memoryTokenStore(stored(1, 0));
    const { baseUrl } = await serve(async (...args) => {
      await shared.set(stored(2));
      oauthError('INVALID_GRANT')(...args);
    });
    expect(await confidential(baseUrl).tokenSource(shared).accessToken()).toBe('a2');
  });

  it.each([
    ['a cut connection', cut],
    ['503', oauthError('SERVICE_UNAVAILABLE', 503)],
  ])(
    'after %s says that the answer is lost, sends the refresh once, and tries again with the next call',
    async (_, answer) => {
      const { baseUrl, requests } = await serve(answer, pair(2));
      const source = confidential(baseUrl).tokenSource(memoryTokenStore(stored(1, 0)));
      await expect(source.accessToken()).rejects.toMatchObject({
        name: 'TokenRefreshError',
        problem: 'answer_lost',
      });
      expect(requests).toHaveLength(1);
      expect(await source.accessToken()).toBe('a2');
    },
  );

  it('says when the user has to sign in', async () => {
    const { baseUrl } = await serve(oauthError('INVALID_GRANT'));
    const empty = confidential(baseUrl).tokenSource(memoryTokenStore());
    await expect(empty.accessToken()).rejects.toMatchObject({ problem: 'no_tokens' });
    const ended = confidential(baseUrl).tokenSource(memoryTokenStore(stored(1, 0)));
    await expect(ended.accessToken()).rejects.toMatchObject({
      problem: 'refused',
      cause: { code: 'INVALID_GRANT' },
    });
  });

  it.each([
    ['INVALID_CLIENT_SECRET', 401],
    ['INVALID_CLIENT', 400],
  ])('throws %s as it is: the user does not have to sign in again', async (code, status) => {
    const { baseUrl } = await serve(oauthError(code, status), pair(2));
    const source = confidential(baseUrl).tokenSource(memoryTokenStore(stored(1, 0)));
    await expect(source.accessToken()).rejects.toMatchObject({ name: 'ApiError', code });
    expect(await source.accessToken()).toBe('a2');
  });

  it('loses nothing to a denial', async () => {
    const { baseUrl } = await serve(denied(3600));
    const source = confidential(baseUrl).tokenSource(memoryTokenStore(stored(1, 0)));
    await expect(source.accessToken()).rejects.toBeInstanceOf(RateLimitError);
  });
});
