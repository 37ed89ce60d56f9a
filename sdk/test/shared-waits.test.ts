import { describe, expect, it } from 'vitest';
import { UNSHARED_BUCKETS } from '../src/generated/unshared-buckets.ts';
import { type ClientOptions, createClient, RateLimitError } from '../src/index.ts';
import { type Answer, denied, json, raw, serve } from './support/http-server.ts';

function sender(options: ClientOptions) {
  const client = createClient(options);
  return (channel_id: string) =>
    client.POST('/channels/{channel_id}/messages', {
      params: { path: { channel_id } },
      body: { content: 'x' },
    });
}

/** A leaky bucket as the API has it: `limit` requests at once, and one more each `interval` seconds. */
function leakyBucket(limit: number, interval: number): Answer {
  let level = 0;
  let at = performance.now();
  return (...args) => {
    const now = performance.now();
    level = Math.max(level - (now - at) / 1000 / interval, 0);
    at = now;
    if (level + 1 <= limit) {
      level++;
      json({ id: '1' })(...args);
      return;
    }
    const wait = Math.ceil((level + 1 - limit) * interval * 1000) / 1000;
    denied(wait, {
      'x-ratelimit-bucket': 'b1',
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-reset-after': (Math.ceil(level * interval * 1000) / 1000).toFixed(3),
    })(...args);
  };
}

describe('callers of one bucket', () => {
  it('that are denied together come back one by one, as the bucket drains, and are not denied again', async () => {
    const { baseUrl, requests } = await serve(leakyBucket(20, 0.05));
    const patient = { deadlineSeconds: 600, timeoutSeconds: 600, maxWaitSeconds: 600, maxTries: 1_000 };
    const send = sender({ baseUrl, bot: 'x', ...patient });
    await Promise.all(Array.from({ length: 60 }, () => send('7')));
    // All 60 were sent before the first denial, and up to 40 a second time. If all came back at once, there would be
    // 800 requests. A machine that stalls for longer than the bucket takes to drain costs some more denials.
    expect(requests.length).toBeLessThan(200);
  });

  it('are not sent while it denies, if the wait is too long for them', async () => {
    const { baseUrl, requests } = await serve(denied(3600), json({ id: '1' }));
    const send = sender({ baseUrl, bot: 'x' });
    await expect(send('7')).rejects.toBeInstanceOf(RateLimitError);
    const error = await send('7').catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(String(error)).toContain('The request was not sent');
    expect(error.retryAfter).toBeGreaterThan(3590);
    expect(requests).toHaveLength(1);
    await send('8');
    expect(requests, 'another channel has another bucket').toHaveLength(2);
  });

  it('may call different operations', async () => {
    const { baseUrl, requests } = await serve(denied(3600), denied(3600), json({}));
    const client = createClient({ baseUrl, bot: 'x' });
    const path = { params: { path: { channel_id: '7' } } };
    await expect(client.GET('/channels/{channel_id}', path)).rejects.toBeInstanceOf(RateLimitError);
    await expect(client.DELETE('/channels/{channel_id}', path)).rejects.toBeInstanceOf(RateLimitError);
    await expect(client.GET('/channels/{channel_id}', path)).rejects.toThrow('not sent');
    expect(requests, 'only an answer tells which bucket an operation charges').toHaveLength(2);
  });

  it('of a bucket whose key is in the body wait each for themselves', async () => {
    const [bucket = ''] = UNSHARED_BUCKETS;
    const { baseUrl, requests } = await serve(denied(3600, { 'x-ratelimit-bucket': bucket }), json({}));
    const client = createClient({ baseUrl });
    const login = (email: string) => client.POST('/auth/login', { body: { email, password: 'pw' } });
    await expect(login('a@example.com')).rejects.toBeInstanceOf(RateLimitError);
    await login('b@example.com');
    expect(requests).toHaveLength(2);
  });

  it("of a service's own limit wait each for themselves", async () => {
    const { baseUrl } = await serve(denied(3600, {}), json({}));
    const client = createClient({ baseUrl });
    const login = (ticket: string) =>
      client.POST('/auth/login/mfa/totp', { body: { ticket, code: '000000' } });
    await expect(login('a')).rejects.toBeInstanceOf(RateLimitError);
    await login('b');
  });
});

it('a denial of the global bucket holds for all calls', async () => {
  const { baseUrl, requests } = await serve(denied(3600, { 'x-ratelimit-global': 'true' }), json({}));
  const send = sender({ baseUrl, bot: 'x' });
  await expect(send('7')).rejects.toMatchObject({ global: true, retryAfter: 3600 });
  await expect(send('8')).rejects.toMatchObject({
    global: true,
    message: expect.stringContaining('not sent'),
  });
  expect(requests).toHaveLength(1);
});

it("a proxy's denial holds for the operation", async () => {
  const slow: Answer = (response, ...rest) =>
    raw(429, 'text/html', 'slow')(response.setHeader('retry-after', '3600'), ...rest);
  const { baseUrl, requests } = await serve(slow, json({}));
  const send = sender({ baseUrl, bot: 'x' });
  await expect(send('7')).rejects.toMatchObject({ retryAfter: 3600 });
  await expect(send('7')).rejects.toThrow('not sent');
  expect(requests).toHaveLength(1);
});

it('a denial for years is asked again after a day', async () => {
  const { baseUrl } = await serve(denied(1e9));
  const send = sender({ baseUrl, bot: 'x' });
  await expect(send('7')).rejects.toMatchObject({ retryAfter: 1e9 });
  const error = await send('7').catch((thrown) => thrown);
  expect(error.message).toContain('not sent');
  expect(error.retryAfter).toBeLessThanOrEqual(86_400);
});

it('a wait that ends by the signal leaves the others waiting', async () => {
  const controller = new AbortController();
  const { baseUrl, requests } = await serve(denied(2), json({ id: '1' }));
  const client = createClient({ baseUrl, bot: 'x' });
  const init = { params: { path: { channel_id: '7' } }, body: { content: 'x' } };
  const first = client.POST('/channels/{channel_id}/messages', { ...init, signal: controller.signal });
  await expect.poll(() => requests.length).toBe(1);
  const second = client.POST('/channels/{channel_id}/messages', init);
  controller.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  await second;
});

it('a wait that ends gives its time back', async () => {
  const limits = { 'x-ratelimit-bucket': 'b1', 'x-ratelimit-limit': '2', 'x-ratelimit-reset-after': '40' };
  const { baseUrl, requests } = await serve(denied(20, limits));
  const client = createClient({ baseUrl, bot: 'x' });
  const init = { params: { path: { channel_id: '7' } }, body: { content: 'x' } };
  const send = (signal: AbortSignal) => client.POST('/channels/{channel_id}/messages', { ...init, signal });
  const impatient = client.POST('/channels/{channel_id}/messages', { ...init, maxWaitSeconds: 0 });
  await expect(impatient).rejects.toBeInstanceOf(RateLimitError);
  // The first of them reserves the bucket's next time. Without that the second would have to wait 40 s: too long.
  for (let n = 0; n < 3; n++) {
    const controller = new AbortController();
    const sent = send(controller.signal).catch((reason) => reason);
    await new Promise(setImmediate);
    controller.abort('enough');
    expect(await sent).toBe('enough');
  }
  expect(requests).toHaveLength(1);
});
