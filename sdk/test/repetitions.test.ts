import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient, NetworkError, RateLimitError, TimeoutError } from '../src/index.ts';
import { type Answer, cut, denied, json, raw, serve, silent } from './support/http-server.ts';

const unavailable = json({ error: '503', code: 'SERVICE_UNAVAILABLE', message: 'Down.' }, 503);

function readGuilds(baseUrl: string, options: object = {}) {
  return createClient({ baseUrl, bot: 'x', ...options }).GET('/users/@me/guilds');
}

function createGuild(baseUrl: string, options: object = {}) {
  return createClient({ baseUrl, bot: 'x', ...options }).POST('/guilds', { body: { name: 'Café' } });
}

/** The head of an answer, and then nothing but the end of the connection. */
const cutInBody: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('[');
  setImmediate(() => response.destroy());
};

describe('after a failure that may pass', () => {
  it.each([
    ['503', unavailable],
    ['502 of a proxy', raw(502, 'text/html', 'Bad gateway')],
    ['a cut connection', cut],
    ['a cut answer', cutInBody],
  ])('%s: a GET is repeated', async (_, answer) => {
    const { baseUrl, requests } = await serve(answer, json([{ id: '1' }]));
    const { data } = await readGuilds(baseUrl);
    expect(data).toEqual([{ id: '1' }]);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['503', unavailable, { status: 503, code: 'SERVICE_UNAVAILABLE' }],
    ['a cut connection', cut, { name: 'NetworkError' }],
    ['a cut answer', cutInBody, { name: 'NetworkError' }],
  ])('%s: a POST is never repeated', async (_, answer, error) => {
    const { baseUrl, requests } = await serve(answer, json({}));
    await expect(createGuild(baseUrl)).rejects.toMatchObject(error);
    expect(requests).toHaveLength(1);
  });

  it('PUT and DELETE are repeated, PATCH and 500 are not', async () => {
    const { baseUrl, requests } = await serve(unavailable, (r) => r.writeHead(204).end());
    const client = createClient({ baseUrl, bot: 'x' });
    await client.DELETE('/guilds/{guild_id}', { params: { path: { guild_id: '1' } } });
    expect(requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
    const patched = await serve(unavailable);
    const patch = createClient({ baseUrl: patched.baseUrl, bot: 'x' }).PATCH('/guilds/{guild_id}', {
      params: { path: { guild_id: '1' } },
      body: {},
    });
    await expect(patch).rejects.toMatchObject({ status: 503 });
    const broken = await serve(json({ code: 'INTERNAL_SERVER_ERROR' }, 500));
    await expect(readGuilds(broken.baseUrl)).rejects.toMatchObject({ status: 500 });
    expect([patched.requests.length, broken.requests.length]).toEqual([1, 1]);
  });

  it('a GET that consumes a ticket is not repeated', async () => {
    const { baseUrl, requests } = await serve(cut);
    const query = { ticket: 'x' };
    const poll = createClient({ baseUrl }).GET('/auth/ip-authorization/poll', { params: { query } });
    await expect(poll).rejects.toBeInstanceOf(NetworkError);
    expect(requests).toHaveLength(1);
  });

  it('the last error is thrown after maxTries', async () => {
    const { baseUrl, requests } = await serve(unavailable);
    await expect(readGuilds(baseUrl, { maxTries: 2 })).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(2);
  });

  it('a Retry-After that is longer than maxWaitSeconds is not waited for', async () => {
    const { baseUrl, requests } = await serve(json({}, 503, { 'retry-after': '3600' }));
    await expect(readGuilds(baseUrl)).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(1);
  });
});

describe('a slow server', () => {
  it('ends a try after timeoutSeconds, and the next may succeed', async () => {
    const { baseUrl, requests } = await serve(silent, json([]));
    await readGuilds(baseUrl, { timeoutSeconds: 2 });
    expect(requests).toHaveLength(2);
  });

  it('ends a call after deadlineSeconds, whatever it does', async () => {
    const { baseUrl } = await serve(silent);
    await expect(readGuilds(baseUrl, { deadlineSeconds: 0.2 })).rejects.toBeInstanceOf(TimeoutError);
    const limited = await serve(denied(20));
    await expect(readGuilds(limited.baseUrl, { deadlineSeconds: 0.2 })).rejects.toBeInstanceOf(TimeoutError);
    const source = { accessToken: () => new Promise<string>(() => undefined) };
    const waiting = createClient({ baseUrl, accessToken: source, deadlineSeconds: 0.2 });
    await expect(waiting.GET('/users/@me/guilds')).rejects.toBeInstanceOf(TimeoutError);
  });

  it('does not hold a call whose fetch ignores its signal', async () => {
    const fetch = () => new Promise<Response>(() => undefined);
    await expect(createGuild('https://chat.example', { fetch, timeoutSeconds: 0.05 })).rejects.toBeInstanceOf(
      TimeoutError,
    );
  });

  it('a body that comes in drops does not last longer', async () => {
    const { baseUrl } = await serve(async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      while (!response.destroyed) {
        response.write(' ');
        await sleep(20);
      }
    });
    await expect(createGuild(baseUrl, { timeoutSeconds: 0.3 })).rejects.toBeInstanceOf(TimeoutError);
  });

  it('is left at once when the caller aborts, with its reason', async () => {
    const controller = new AbortController();
    const { baseUrl } = await serve(() => controller.abort('enough'));
    const { signal } = controller;
    await expect(createClient({ baseUrl }).GET('/users/@me/guilds', { signal })).rejects.toBe('enough');
    await expect(createClient({ baseUrl }).GET('/users/@me/guilds', { signal })).rejects.toBe('enough');
  });
});

describe('after 429', () => {
  it('a POST is sent again with the same body: nothing was executed', async () => {
    const { baseUrl, requests } = await serve(denied(0.05), json({ id: '1' }));
    await createGuild(baseUrl);
    expect(requests.map(({ body }) => body)).toEqual(['{"name":"Café"}', '{"name":"Café"}']);
  });

  it.each([
    ['a wait above maxWaitSeconds', denied(3600), {}, 3600],
    ['maxWaitSeconds 0', denied(0.05), { maxWaitSeconds: 0 }, 0.05],
    ['maxTries 1', denied(0.05), { maxTries: 1 }, 0.05],
    ["a proxy's Retry-After alone", raw(429, 'text/plain', 'slow'), { maxWaitSeconds: 0 }, 1],
  ])('%s throws RateLimitError at once', async (_, answer, options, retryAfter) => {
    const { baseUrl, requests } = await serve(answer);
    const error = await createGuild(baseUrl, options).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, retryAfter, global: false });
    expect(requests).toHaveLength(1);
  });

  it('denials without end end after maxTries', async () => {
    const { baseUrl, requests } = await serve(denied(0.01));
    await expect(createGuild(baseUrl)).rejects.toBeInstanceOf(RateLimitError);
    expect(requests).toHaveLength(4);
  });
});
