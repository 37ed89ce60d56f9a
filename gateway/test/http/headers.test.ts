import { describe, expect, it } from 'vitest';
import { useEdge } from '../support/edge.ts';
import { SESSION } from '../support/peers.ts';
import { raw, request } from '../support/wire.ts';

describe('X-Request-Id', () => {
  const edge = useEdge();
  const NEW = /^[0-9a-f]{24}$/;

  it.each(['a', 'a b', '~!@#$%^&*()', '00000000-0000-0000-0000-000000000000', 'x'.repeat(128)])(
    '"%s" from the client is kept, and passed on to every service',
    async (id) => {
      const headers = { 'x-request-id': id, authorization: SESSION };
      expect((await edge.send('GET /users/@me', { headers })).headers.get('x-request-id')).toBe(id);
      expect(edge.peers.calls.map(({ rpc, call }) => [rpc, call.requestId])).toEqual([
        ['identify', id],
        ['check', id],
        ['getCurrentUser', id],
      ]);
    },
  );

  it.each(['', 'x'.repeat(129), 'caf\xe9', 'a\tb', 'x'.repeat(10_000)])(
    '%j is replaced by a new one',
    async (id) => {
      const ids = new Set<string | null>();
      for (let n = 0; n < 2; n++) {
        const answer = await raw(
          edge,
          Buffer.from(request('GET /users/@me', [`X-Request-Id: ${id}`]), 'latin1'),
        );
        expect(answer.headers.get('x-request-id')).toMatch(NEW);
        ids.add(answer.headers.get('x-request-id'));
      }
      expect(ids.size).toBe(2);
    },
  );

  it('is on every answer, even without a route or valid HTTP', async () => {
    for (const line of ['GET /users/@me', 'GET /nothing', 'GET //', 'GET //livez', 'OPTIONS /guilds'])
      expect((await edge.send(line)).headers.get('x-request-id'), line).toMatch(NEW);
    expect((await raw(edge, 'no HTTP\r\n\r\n')).headers.get('x-request-id')).toMatch(NEW);
  });
});

describe('a request', () => {
  const edge = useEdge();
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'x']));

  it('has at most a hundred headers: with more it is 431', async () => {
    const most = 100 - ['Host', 'Connection'].length;
    for (const path of ['/webhooks/41/tok', '/nothing', '//livez']) {
      expect((await edge.send(`GET ${path}`, { headers: headers(most) })).status).not.toBe(431);
      const answer = await edge.send(`GET ${path}`, { headers: headers(most + 1) });
      expect([answer.status, answer.json().code]).toEqual([431, 'REQUEST_HEADER_FIELDS_TOO_LARGE']);
    }
  });
});

describe('CORS', () => {
  const edge = useEdge();
  const origin = 'https://app.example';

  it.each(['/guilds', '/users/@me', '/webhooks/41/tok', '/nothing/at/all', '/guilds/0x1', '//', '//livez'])(
    'preflight of %s is 204 and allows the requested headers',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await edge.send(`OPTIONS ${path}`, {
          headers: {
            origin,
            'access-control-request-method': method,
            'access-control-request-headers': 'authorization, content-type, x-audit-log-reason',
          },
        });
        expect([answer.status, answer.text]).toEqual([204, '']);
        const allowed = (what: string) => answer.headers.get(`access-control-allow-${what}`)?.split(', ');
        expect(allowed('methods')).toContain(method);
        expect(allowed('headers')).toEqual(['authorization', 'content-type', 'x-audit-log-reason']);
        expect(allowed('origin')).toEqual(['*']);
      }
      expect(edge.peers.calls).toEqual([]);
    },
  );

  it('a preflight reflects only header names, up to 1 KiB', async () => {
    const allowed = async (requested: string) => {
      const headers = { origin, 'access-control-request-headers': requested };
      return (await edge.send('OPTIONS /guilds', { headers })).headers.get('access-control-allow-headers');
    };
    expect(await allowed('a,,b c, "d", e')).toBe('a, e');
    expect(await allowed('x'.repeat(60_000))).toBe('');
    const many = (await allowed('x-name,'.repeat(8_000))) ?? '';
    expect(many.length).toBeLessThanOrEqual(1_024);
    expect(new Set(many.split(', '))).toEqual(new Set(['x-name']));
  });

  it('OPTIONS without a preflight is 204 too', async () => {
    for (const path of ['/guilds', '/nothing']) expect((await edge.send(`OPTIONS ${path}`)).status).toBe(204);
  });

  // Each `send` of these tests checks the CORS headers of its answer.
  it.each([
    ['200', 'GET /webhooks/41/tok'],
    ['204', 'POST /webhooks/41/tok'],
    ['400', 'POST /auth/login'],
    ['401', 'GET /users/@me'],
    ['404', 'GET /nothing'],
  ])('a %s is readable from any origin, known or null', async (status, line) => {
    for (const from of [origin, 'null', 'chrome-extension://x']) {
      expect(String((await edge.send(line, { headers: { origin: from } })).status)).toBe(status);
    }
  });
});
