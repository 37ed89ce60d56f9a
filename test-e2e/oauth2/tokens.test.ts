import { describe, expect, it } from 'vitest';
import type { Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { freshAddress, newWebhook } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import { useAnyStack } from '../support/stack.ts';
import { credentialsOf, expectOauthError, FORM, postForm } from './calls.ts';
import { newCode, newOauthClient, REDIRECT_URI } from './consent.ts';
import { grantTokens } from './grant-tokens.ts';

const stack = useAnyStack();

const ROUTES = ['/oauth2/token', '/oauth2/introspect', '/oauth2/token/revoke'] as const;

type Members = Readonly<Record<string, string>>;

const post = (path: string, members: Members, headers: Members = {}): Promise<Reply> =>
  postForm(stack.api, path, members, headers);

const basicOf = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const codeForm = (code: string) => ({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });

/** Expects an OAuth2 error that caches do not store. */
function expectTokenError(reply: Reply, status: number, name: string): void {
  expectOauthError(reply, status, name);
  expect(reply.headers.has('www-authenticate')).toBe(false);
  expectUncached(reply);
}

/** Expects headers that forbid caching, also in HTTP/1.0. */
function expectUncached({ headers }: Reply): void {
  expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
}

describe('a response', () => {
  it('of each route has exactly its members and must not be cached', async () => {
    const client = await newOauthClient(stack.api);
    const exchanged = await post('/oauth2/token', {
      ...codeForm(await newCode(client)),
      ...credentialsOf(client),
    });
    const secret = expect.stringMatching(/^[A-Za-z0-9_-]{43}$/);
    expect(exchanged.json()).toEqual({
      access_token: secret,
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: secret,
      scope: 'email identify',
    });
    const { access_token, refresh_token } = exchanged.json<{ access_token: string; refresh_token: string }>();
    const introspect = (token: string) => post('/oauth2/introspect', { ...credentialsOf(client), token });
    const introspected = await introspect(access_token);
    const about = {
      active: true,
      scope: 'email identify',
      client_id: client.client_id,
      iat: expect.any(Number),
      sub: client.person.user.id,
    };
    expect(introspected.json()).toEqual({ ...about, token_type: 'Bearer', exp: expect.any(Number) });
    expect((await introspect(refresh_token)).json()).toEqual({ ...about, token_type: 'refresh_token' });
    const inactive = await introspect('unknown');
    expect([inactive.status, inactive.text]).toEqual([200, '{"active":false}']);

    const revoke = (token: string) => post('/oauth2/token/revoke', { ...credentialsOf(client), token });
    const revoked = [await revoke(access_token), await revoke(access_token), await revoke('unknown')];
    for (const reply of revoked)
      expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([
        200,
        '',
        'application/json',
      ]);
    expect((await introspect(refresh_token)).text).toBe('{"active":false}');
    for (const reply of [exchanged, introspected, inactive, ...revoked]) expectUncached(reply);
  });
});

describe.each(ROUTES)('%s', (path) => {
  it('authenticates the client before other checks', async () => {
    const client = await newOauthClient(stack.api);
    const { client_id, client_secret } = client;
    for (const wrong of ['', 'abc', '0x1f', `0${client_id}`, '1', '9223372036854775808', 'a\0'])
      expectTokenError(await post(path, { client_id: wrong, client_secret }), 400, 'invalid_client');
    expectTokenError(await post(path, {}), 400, 'invalid_client');
    const query = new URLSearchParams({ client_id, client_secret, token: 'x' });
    expectTokenError(await post(`${path}?${query}`, {}), 400, 'invalid_client');
    expectTokenError(await post(path, { client_id }), 400, 'invalid_request');
    expectTokenError(await post(path, {}, basicOf(`${client_id}:`)), 400, 'invalid_request');
    for (const wrong of ['x', `${client_secret}:`, `%${client_secret}`])
      expectTokenError(await post(path, { client_id, client_secret: wrong }), 401, 'invalid_client_secret');
    expectTokenError(await post(path, {}, basicOf(`${client_id}:x`)), 401, 'invalid_client_secret');
    const missing = path === '/oauth2/token' ? 'unsupported_grant_type' : 'invalid_request';
    expectTokenError(await post(path, { client_id, client_secret }), 400, missing);
    expectTokenError(await post(path, {}, basicOf(`${client_id}:${client_secret}`)), 400, missing);
  });

  it('ignores an Authorization header that is malformed, doubled or of another scheme', async () => {
    const client = await newOauthClient(stack.api);
    const { client_id, client_secret } = client;
    const { authorization } = basicOf(`${client_id}:${client_secret}`);
    const api = stack.api.from(freshAddress());
    for (const malformed of [
      'Basic',
      'Basic !',
      `Basic  ${authorization.slice(6)}`,
      `Basic ${authorization}`,
    ])
      expectTokenError(await api.as(malformed).post(path, 'token=x', FORM), 400, 'invalid_client');
    for (const other of [`Bearer ${client.person.token}`, `Bot ${client.application.bot.token}`])
      expectTokenError(await api.as(other).post(path, 'token=x', FORM), 400, 'invalid_client');
    const header = `Authorization: ${authorization}`;
    const twice = request(
      `POST /api/v1${path}`,
      [header, header, `Content-Type: ${FORM['content-type']}`, 'Connection: close'],
      'token=x',
    );
    expectTokenError(await raw(stack.url, twice), 400, 'invalid_client');
  });

  it('accepts only a UTF-8 form of at most 64 KiB without duplicate parameters', async () => {
    const client = await newOauthClient(stack.api);
    const api = stack.api.from(freshAddress());
    const form = new URLSearchParams({ ...credentialsOf(client), token: 'x' }).toString();
    const json = JSON.stringify({ ...credentialsOf(client), token: 'x' });
    const multipart = new FormData();
    for (const [name, value] of new URLSearchParams(form)) multipart.set(name, value);
    const bodies: [unknown, Members?][] = [
      [json, { 'content-type': 'application/json' }],
      [form, { 'content-type': 'text/plain' }],
      [form, { 'content-type': 'application/json' }],
      ['', { 'content-type': 'application/json' }],
      [new TextEncoder().encode(form)],
      [multipart],
      [`${form}&token=x`, FORM],
      [`client_id=1&${form}`, FORM],
      [Buffer.concat([Buffer.from(`${form}&x=`), Buffer.of(0xff)]), FORM],
    ];
    for (const [body, headers] of bodies)
      expectTokenError(await api.post(path, body, headers), 400, 'invalid_request');
    const padded = (bytes: number) => `${form}&x=${'x'.repeat(bytes - form.length - 3)}`;
    const most = await api.post(path, padded(64 * 1024), FORM);
    if (path === '/oauth2/token') expectTokenError(most, 400, 'unsupported_grant_type');
    else expect(most.status, most.text).toBe(200);
    expectError(await api.post(path, padded(64 * 1024 + 1), FORM), 413, 'PAYLOAD_TOO_LARGE');
    expectError(await api.post(path, padded(65 * 1024), FORM), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('is 404 for GET', async () => {
    expectError(await stack.api.get(`${path}?token=x`), 404, 'NOT_FOUND');
  });
});

describe('POST /oauth2/token', () => {
  it('refuses invalid grants', async () => {
    const client = await newOauthClient(stack.api);
    const token = (members: Members) => post('/oauth2/token', { ...credentialsOf(client), ...members });
    for (const grant_type of ['', 'password', 'client_credentials', 'refresh', 'Authorization_code', 'code'])
      expectTokenError(await token({ grant_type }), 400, 'unsupported_grant_type');
    const code = await newCode(client);
    const wrongs = [
      codeForm(''),
      codeForm('x'),
      codeForm(`${code}\0`),
      { ...codeForm(code), redirect_uri: '' },
      { ...codeForm(code), redirect_uri: `${REDIRECT_URI}/` },
      { ...codeForm(code), redirect_uri: REDIRECT_URI.toUpperCase() },
      { ...codeForm(code), redirect_uri: REDIRECT_URI.replace('.test', '.test:443') },
      { ...codeForm(code), redirect_uri: REDIRECT_URI.replace('.test', '%2etest') },
      { ...codeForm(code), code_verifier: 'v'.repeat(43) },
      { grant_type: 'refresh_token' },
      { grant_type: 'refresh_token', refresh_token: code },
    ];
    for (const wrong of wrongs) expectTokenError(await token(wrong), 400, 'invalid_grant');
    expect((await token(codeForm(code))).status, 'nothing was consumed').toBe(200);
    expectTokenError(await token(codeForm(code)), 400, 'invalid_grant');
  });

  it('refuses other credentials as codes and refresh tokens, and does not invalidate them', async () => {
    const client = await newOauthClient(stack.api);
    const { webhook } = await newWebhook(stack.api);
    const pair = await grantTokens(stack.api, client);
    const kinds = [client.person.token, client.application.bot.token, webhook.token, client.client_secret];
    const token = (members: Members) => post('/oauth2/token', { ...credentialsOf(client), ...members });
    for (const value of [...kinds, pair.access_token, pair.refresh_token])
      expectTokenError(await token(codeForm(value)), 400, 'invalid_grant');
    for (const refresh_token of [...kinds, pair.access_token])
      expectTokenError(await token({ grant_type: 'refresh_token', refresh_token }), 400, 'invalid_grant');
    for (const value of kinds)
      expect((await post('/oauth2/introspect', { ...credentialsOf(client), token: value })).text).toBe(
        '{"active":false}',
      );
    expect((await client.person.api.get('/users/@me')).status).toBe(200);
    const refreshed = { grant_type: 'refresh_token', refresh_token: pair.refresh_token };
    expect((await token(refreshed)).status).toBe(200);
  });

  it('issues an access token that works at once; other values are not access tokens', async () => {
    const client = await newOauthClient(stack.api);
    const { access_token, refresh_token } = await grantTokens(stack.api, client);
    const me = (credential: string) =>
      stack.api.from(freshAddress()).as(`Bearer ${credential}`).get('/users/@me');
    expect((await me(access_token)).json()).toMatchObject({ id: client.person.user.id });
    for (const other of [refresh_token, client.client_secret, await newCode(client)])
      expectError(await me(other), 401, 'UNAUTHORIZED');
    await post('/oauth2/token/revoke', { ...credentialsOf(client), token: access_token });
    expectError(await me(access_token), 401, 'UNAUTHORIZED');
  });
});
