import { describe, expect, it } from 'vitest';
import { RateLimited } from '../../src/http/http-error.ts';
import { InvalidRequests } from '../../src/limit/invalid-requests.ts';
import { useEdge } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';

describe('an address with too many invalid requests', () => {
  const edge = useEdge({ config: { invalid_request_limit: 5 } });

  it('gets 429 for every request, as of the global bucket', async () => {
    const authorization = `Bearer ${SESSION}`;
    for (let count = 0; count < 6; count++) expect((await edge.send('GET /users/@me')).status).toBe(401);
    edge.peers.calls.length = 0;
    const refused = await edge.send('GET /users/@me', { headers: { authorization } });
    expect(refused.status).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'RATE_LIMITED', global: true });
    expect(refused.json<{ retry_after: number }>().retry_after).toBeGreaterThan(590);
    expect(refused.headers.get('x-ratelimit-global')).toBe('true');
    expect(refused.headers.get('x-ratelimit-scope')).toBe('global');
    expect(refused.headers.has('x-ratelimit-bucket')).toBe(false);
    expect(edge.peers.calls).toEqual([]);
    expect((await edge.send('GET //livez')).status).toBe(200);
  });
});

describe('the count of invalid requests', () => {
  const WEBHOOK = { path: '/webhooks/{webhook_id}/{token}', params: ['webhook_id', 'token'] };
  let now_us = 0;
  const counting = (limit: number | undefined, replicas = 1) =>
    new InvalidRequests({ limit, replicas, now_us: () => now_us, onRefused: () => undefined });
  const admits = (invalidRequests: ReturnType<typeof counting>, ipGroup = 'a') => {
    try {
      invalidRequests.admit(ipGroup);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(RateLimited);
      return false;
    }
  };

  it.each([
    [401, undefined, true],
    [403, undefined, true],
    [429, undefined, true],
    [404, WEBHOOK, true],
    [404, { path: '/invites/{code}', params: ['code'] }, true],
    [404, { path: '/channels/{channel_id}/invites', params: ['channel_id'] }, false],
    [404, undefined, false],
    [404, { path: '/auth/reset/{token}', params: ['token'] }, false],
    [200, WEBHOOK, false],
    [400, undefined, false],
    [503, undefined, false],
  ])('%i of %o: %s', (status, route, counted) => {
    const invalidRequests = counting(1);
    invalidRequests.count('a', status, route as never);
    expect(admits(invalidRequests)).toBe(true);
    invalidRequests.count('a', status, route as never);
    expect(admits(invalidRequests)).toBe(!counted);
    expect(admits(invalidRequests, 'b')).toBe(true);
  });

  it('drains in ten minutes, and blocks until it is empty', () => {
    const invalidRequests = counting(10);
    for (let count = 0; count < 11; count++) invalidRequests.count('a', 401, undefined);
    now_us += 599_000_000;
    expect(admits(invalidRequests)).toBe(false);
    invalidRequests.count('a', 429, undefined); // the refusals
    now_us += 61_000_000;
    expect(admits(invalidRequests)).toBe(true);
  });

  it('is divided among several edges, and off without a limit', () => {
    const part = counting(10, 5);
    for (let count = 0; count < 2; count++) part.count('a', 401, undefined);
    expect(admits(part)).toBe(true);
    part.count('a', 401, undefined);
    expect(admits(part)).toBe(false);
    const none = counting(undefined);
    for (let count = 0; count < 100; count++) none.count('a', 401, undefined);
    expect([admits(none), none.size()]).toEqual([true, 0]);
  });
});
