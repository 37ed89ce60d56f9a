import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  createClient,
  isGatehouseError,
  UnexpectedResponseError,
  webhookClient,
} from '../src/index.ts';
import { json, raw, serve } from './support/http-server.ts';

const CHANNEL = { params: { path: { channel_id: '7' } } };

async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call.then((value) => expect.fail(`no error, but ${JSON.stringify(value)}`));
  } catch (error) {
    return error;
  }
}

describe('a call', () => {
  it('sends path, query, body and the credential, and returns the body and the response', async () => {
    const { baseUrl, requests } = await serve(json({ id: '9', content: 'hi' }));
    const client = createClient({ baseUrl: `${baseUrl}/`, bot: 'abc.def' });
    const { data, response } = await client.POST('/channels/{channel_id}/messages', {
      ...CHANNEL,
      body: { content: 'hi' },
    });
    expect(data).toEqual({ id: '9', content: 'hi' });
    expect(response.headers.get('x-request-id')).toBe('r-1');
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/channels/7/messages',
        headers: { authorization: 'Bot abc.def', 'content-type': 'application/json' },
        body: '{"content":"hi"}',
      },
    ]);
  });

  it.each([
    [{ session: 'gth_a' }, 'Bearer gth_a'],
    [{ accessToken: 'a' }, 'Bearer a'],
    [{ accessToken: { accessToken: async () => 'b' } }, 'Bearer b'],
    [{}, undefined],
  ])('with the credential %j has the header %s', async (credential, authorization) => {
    const { baseUrl, requests } = await serve(json([]));
    await createClient({ baseUrl, ...credential }).GET('/channels/{channel_id}/messages', {
      params: { ...CHANNEL.params, query: { limit: 3 } },
    });
    expect(requests[0]?.url).toBe('/api/v1/channels/7/messages?limit=3');
    expect(requests[0]?.headers.authorization).toBe(authorization);
  });

  it('renews an access token that is refused, once, and repeats even a POST: a 401 has executed nothing', async () => {
    const refused = json({ error: '401 Unauthorized', code: 'UNAUTHORIZED', message: 'No.' }, 401);
    const { baseUrl, requests } = await serve(refused, json({ id: '1' }), refused);
    const rejections: (string | undefined)[] = [];
    const source = {
      accessToken: async (rejected?: string) => {
        rejections.push(rejected);
        return rejected === undefined && rejections.length === 1 ? 'old' : 'new';
      },
    };
    const client = createClient({ baseUrl, accessToken: source });
    await client.POST('/guilds', { body: { name: 'x' } });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
    expect(rejections).toContain('old');
    expect(await failure(client.POST('/guilds', { body: { name: 'x' } }))).toMatchObject({ status: 401 });
    expect(requests).toHaveLength(3);
  });

  it('with maxTries 1 is not repeated with a new token either, but the next call has it', async () => {
    const { baseUrl, requests } = await serve(json({ code: 'UNAUTHORIZED' }, 401), json([]));
    let token = 'old';
    const accessToken = {
      accessToken: async (rejected?: string) => {
        if (rejected === 'old') token = 'new';
        return token;
      },
    };
    const client = createClient({ baseUrl, accessToken, maxTries: 1 });
    await expect(client.GET('/users/@me/guilds')).rejects.toMatchObject({ status: 401 });
    expect(requests).toHaveLength(1);
    await client.GET('/users/@me/guilds');
    expect(requests[1]?.headers.authorization).toBe('Bearer new');
  });

  it('sends a form if its headers say so', async () => {
    const { baseUrl, requests } = await serve(json({ active: false }));
    await createClient({ baseUrl }).POST('/oauth2/introspect', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: { token: 'a b', client_id: '5', client_secret: 's' },
    });
    expect(requests[0]?.body).toBe('token=a+b&client_id=5&client_secret=s');
    expect(requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  it('sends the body of a DELETE', async () => {
    const { baseUrl, requests } = await serve((response) => response.writeHead(204).end());
    await createClient({ baseUrl, session: 'x' }).DELETE('/users/@me/mfa/webauthn/credentials/{id}', {
      params: { path: { id: 'c' } },
      body: { password: 'pw' },
    });
    expect(requests).toMatchObject([
      { method: 'DELETE', headers: { 'content-type': 'application/json' }, body: '{"password":"pw"}' },
    ]);
  });

  it('has no data after 204', async () => {
    const { baseUrl } = await serve((response) => response.writeHead(204).end());
    const { data, response } = await createClient({ baseUrl, bot: 'x' }).DELETE(
      '/channels/{channel_id}',
      CHANNEL,
    );
    expect([data, response.status]).toEqual([undefined, 204]);
  });

  it.each(['', '.', '..'])(
    'with %j as a path parameter is refused: it would be another path',
    async (channel_id) => {
      const { baseUrl, requests } = await serve(json({}));
      const call = createClient({ baseUrl }).GET('/channels/{channel_id}', {
        params: { path: { channel_id } },
      });
      await expect(call).rejects.toThrow('channel_id is');
      expect(requests).toEqual([]);
    },
  );

  it('to a path that the document does not have, or without its parameters, does not compile', async () => {
    const { baseUrl } = await serve(json({ code: 'NOT_FOUND' }, 404));
    const client = createClient({ baseUrl });
    // @ts-expect-error: no such path
    await expect(client.GET('/guild')).rejects.toMatchObject({ status: 404 });
    // @ts-expect-error: the path has a parameter
    await expect(client.GET('/guilds/{guild_id}')).rejects.toThrow('guild_id is undefined');
    // @ts-expect-error: the body has a member that is required
    await expect(client.POST('/guilds', { body: {} })).rejects.toMatchObject({ status: 404 });
  });

  it('encodes path parameters', async () => {
    const { baseUrl, requests } = await serve(json({}));
    await createClient({ baseUrl }).GET('/invites/{code}', { params: { path: { code: '../a?b' } } });
    expect(requests[0]?.url).toBe('/api/v1/invites/..%2Fa%3Fb');
  });
});

describe('options that make no sense', () => {
  it.each([
    [{ baseUrl: 'chat.example' }, 'baseUrl must be'],
    [{ baseUrl: 'ftp://chat.example' }, 'baseUrl must be'],
    [{ baseUrl: 'https://chat.example', bot: 'a', session: 'b' }, 'one credential, not session and bot'],
    [{ baseUrl: 'https://chat.example', bot: '' }, 'bot is no token'],
    [{ baseUrl: 'https://chat.example', bot: 'a\r\nb' }, 'bot is no token'],
    [{ baseUrl: 'https://chat.example', maxTries: 0 }, 'maxTries is 0'],
    [{ baseUrl: 'https://chat.example', timeoutSeconds: Number.NaN }, 'timeoutSeconds is NaN'],
  ])('%j are refused', (options, message) => {
    expect(() => createClient(options)).toThrow(message);
  });

  it.each(['https://chat.example', 'https://chat.example/', 'https://chat.example/api/v1'])(
    'the address of %s is found',
    async (baseUrl) => {
      const urls: string[] = [];
      const fetch = async (url: string) => {
        urls.push(url);
        return Response.json([]);
      };
      await createClient({ baseUrl, fetch }).GET('/users/@me/guilds');
      expect(urls).toEqual(['https://chat.example/api/v1/users/@me/guilds']);
    },
  );
});

describe('an error of the API', () => {
  it('has status, code, request ID, and the violations by path', async () => {
    const errors = [
      { path: 'embeds.0.title', code: 'STRING_LENGTH_INVALID', message: 'Too long.' },
      { path: 'embeds.0.title', code: 'INVALID_FORMAT', message: 'Not text.' },
      { path: '__proto__', code: 'INVALID_FORMAT', message: 'No.' },
    ];
    const { baseUrl } = await serve(
      json(
        { error: '400 Bad Request', code: 'INVALID_FORM_BODY', message: 'Invalid form body.', errors },
        400,
      ),
    );
    const client = createClient({ baseUrl, bot: 'secret-token' });
    const error = await failure(
      client.POST('/channels/{channel_id}/messages', { ...CHANNEL, body: { content: 'x' } }),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'INVALID_FORM_BODY',
      requestId: 'r-1',
      errors,
    });
    const { violations, message } = error as ApiError;
    expect(violations['embeds.0.title']).toEqual(errors[0]);
    expect(violations.toString).toBeUndefined();
    expect(message).toBe(
      'POST /channels/{channel_id}/messages: 400 INVALID_FORM_BODY Invalid form body. embeds.0.title: Too long.; ' +
        'embeds.0.title: Not text.; __proto__: No.',
    );
    expect(isGatehouseError(error)).toBe(true);
    expect(isGatehouseError(new Error('x'))).toBe(false);
  });

  it('has the members of its code', async () => {
    const { baseUrl } = await serve(
      json(
        { error: '403 Forbidden', code: 'MISSING_OAUTH_SCOPE', message: 'No.', required_scope: 'guilds' },
        403,
      ),
      json(
        { error: '400 Bad Request', code: 'SLOWMODE_RATE_LIMITED', message: 'No.', retry_after: 7.5 },
        400,
      ),
    );
    const client = createClient({ baseUrl, accessToken: 'x' });
    expect(await failure(client.GET('/users/@me/guilds'))).toMatchObject({ requiredScope: 'guilds' });
    expect(await failure(client.GET('/users/@me/guilds'))).toMatchObject({ retryAfter: 7.5 });
  });

  it('shows no ticket in a log', async () => {
    const { baseUrl } = await serve(
      json(
        { error: '403 Forbidden', code: 'IP_AUTHORIZATION_REQUIRED', message: 'No.', ticket: 'hush-hush' },
        403,
      ),
    );
    const body = { email: 'a@example.com', password: 'pw' };
    const error = await failure(createClient({ baseUrl }).POST('/auth/login', { body }));
    expect((error as ApiError).members.ticket).toBe('hush-hush');
    expect(inspect(error) + JSON.stringify(error)).not.toContain('hush-hush');
  });

  it('of a webhook names no token', async () => {
    const { baseUrl } = await serve(json({ error: '404 Not Found', code: 'NOT_FOUND', message: 'No.' }, 404));
    const path = { webhook_id: '5', token: 'hush-hush' };
    const error = await failure(
      createClient({ baseUrl }).GET('/webhooks/{webhook_id}/{token}', { params: { path } }),
    );
    expect(String(error)).toContain('GET /webhooks/{webhook_id}/{token}: 404 NOT_FOUND');
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('hush-hush');
  });

  it('of a connection shows no URL of a webhook, whatever the runtime says', async () => {
    const fetch = (url: string) =>
      Promise.reject(Object.assign(new TypeError(`error sending request for ${url}`), { path: url }));
    const webhook = webhookClient('https://chat.example/api/v1/webhooks/5/hush-hush', { fetch });
    const error = await failure(webhook.send({ content: 'x' }));
    expect(String(error)).toContain('error sending request for POST /webhooks/{webhook_id}/{token}');
    expect(inspect(error)).not.toContain('hush-hush');
    const other = { fetch: () => Promise.reject(new TypeError('no route', { cause: new Error('EHOST') })) };
    const plain = await failure(
      createClient({ baseUrl: 'https://chat.example', ...other }).POST('/auth/logout'),
    );
    expect(plain).toMatchObject({
      message: 'POST /auth/logout: no route (EHOST)',
      cause: { message: 'no route' },
    });
  });

  it('without a body of the API has the status as its code', async () => {
    const { baseUrl } = await serve(raw(413, 'text/html', '<h1>Too large</h1>'));
    const error = await failure(createClient({ baseUrl }).GET('/users/@me/guilds'));
    expect(error).toMatchObject({ status: 413, code: 'HTTP_413', errors: [], requestId: undefined });
  });
});

describe('an answer that is not of the API', () => {
  it.each([
    ['a page', raw(200, 'text/html', '<h1>Welcome</h1>'), 'text/html, not JSON'],
    ['broken JSON', raw(200, 'application/json', '{"id":'), 'no valid JSON'],
    ['nothing', raw(200, 'application/json', ''), 'no valid JSON'],
    ['a redirect', raw(302, 'text/plain', ''), 'redirected: check baseUrl'],
  ])('%s is an UnexpectedResponseError', async (_, answer, message) => {
    const { baseUrl, requests } = await serve(answer);
    const error = await failure(createClient({ baseUrl }).GET('/users/@me/guilds'));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(String(error)).toContain(message);
    expect(requests, 'and is not repeated').toHaveLength(1);
  });

  it('is read up to maxAnswerBytes, and no further', async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (response.write(`"${'x'.repeat(65_536)}",`));
        response.once('drain', write);
      };
      write();
    });
    const error = await failure(
      createClient({ baseUrl, maxAnswerBytes: 1_000_000 }).GET('/users/@me/guilds'),
    );
    expect(String(error)).toContain('longer than 1000000 bytes');
  });

  it('as text is returned with parseAs', async () => {
    const { baseUrl } = await serve(raw(200, 'text/html', 'ok'));
    const { data } = await createClient({ baseUrl }).POST('/webhooks/{webhook_id}/{token}/chatcompat', {
      params: { path: { webhook_id: '1', token: 't' } },
      body: { text: 'hi' },
      parseAs: 'text',
    });
    expect(data).toBe('ok');
  });
});
