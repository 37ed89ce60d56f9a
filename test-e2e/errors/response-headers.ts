import { describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { newcomer, newWebhook } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import type { TestStack } from '../support/stack.ts';

const EXPOSED = [
  'retry-after',
  'x-ratelimit-bucket',
  'x-ratelimit-global',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-ratelimit-scope',
  'x-request-id',
];

export function responseHeaders(stack: TestStack): void {
  describe('X-Request-Id', () => {
    const idOf = async (line: string) => {
      const reply = await raw(stack.url, Buffer.from(request('GET /api/v1/users/@me', [line]), 'latin1'));
      return reply.headers.get('x-request-id') ?? '';
    };

    it('is the client’s if it has at most 128 printable ASCII characters', async () => {
      for (const id of ['abc-123', '~!"#$%&()*+/:;<=>?@[]^_`{|}', 'x'.repeat(128)]) {
        expect(await idOf(`X-Request-Id: ${id}`)).toBe(id);
      }
    });

    it('is otherwise a new one, unique per request', async () => {
      const given = ['x'.repeat(129), 'a\xe9b', 'a\tb', '\x80', ''];
      const ids = await Promise.all(given.map((id) => idOf(`X-Request-Id: ${id}`)));
      expect(new Set([...ids, ...given]).size).toBe(ids.length + given.length);
      expect(await idOf('X-Other: none')).not.toBe(await idOf('X-Other: none'));
    });
  });

  describe('every response', () => {
    it('has X-Request-Id and nosniff, also to a preflight', async () => {
      const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
      expect((await stack.api.send('OPTIONS', '/guilds', { headers })).status).toBe(204);
    });

    it('has X-Request-Id and nosniff, also to malformed HTTP', async () => {
      for (const bytes of ['hello\r\n\r\n', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]) {
        expect((await raw(stack.url, bytes)).status).toBeLessThan(500);
      }
    });
  });

  describe('a response with a credential', () => {
    it('has Cache-Control: no-store', async () => {
      const { api, email, password } = await newcomer(stack.api);
      const { path, owner, channel } = await newWebhook(stack.api);
      const answers = [
        await stack.api.from('192.0.2.80').post('/auth/login', { email, password }),
        await stack.api.get(path),
        await owner.api.post(`/channels/${channel.id}/webhooks`, { name: 'x' }),
        await api.post('/oauth2/applications', { name: 'x' }),
      ];
      for (const { status, headers } of answers) {
        expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      }
    });
  });

  describe('a cross-origin caller', () => {
    const origin = { origin: 'https://app.example' };

    it('may read every response and its rate-limit headers, without credentials', async () => {
      const { path, owner } = await newWebhook(stack.api);
      const answers = [
        await stack.api.get(path, origin),
        await stack.api.post(path, { content: 'x' }, origin),
        await stack.api.post(path, {}, origin),
        await stack.api.post(`${path}/chatcompat`, { text: 'x' }, origin),
        await owner.api.get('/users/@me', origin),
        await stack.api.get('/users/@me', origin),
        await stack.api.get('/nowhere', origin),
        await stack.api.post('/guilds/abc', '{', origin),
      ];
      for (const answer of answers) {
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
        const exposed = listed(answer.headers.get('access-control-expose-headers'));
        expect(exposed).toEqual(expect.arrayContaining(EXPOSED));
      }
      const flood = await Promise.all(Array.from({ length: 70 }, () => stack.api.post(path, {}, origin)));
      const denied = flood.find(({ status }) => status === 429);
      expect(denied?.headers.get('access-control-allow-origin'), 'a denial too').toBe('*');
    });

    it('gets 204 to a preflight, with the API’s methods and headers', async () => {
      const { path } = await newWebhook(stack.api);
      const asked =
        'authorization,content-type,x-codehost-event,x-codehost-delivery,x-audit-log-reason,x-request-id';
      for (const [route, method] of [
        [path, 'POST'],
        ['/users/@me', 'GET'],
        ['/guilds', 'POST'],
        ['/channels/1', 'PATCH'],
      ] as const) {
        const reply = await stack.api.send('OPTIONS', route, {
          headers: {
            ...origin,
            'access-control-request-method': method,
            'access-control-request-headers': asked,
          },
          checked: false,
        });
        expect([reply.status, reply.text]).toEqual([204, '']);
        expect(reply.headers.get('access-control-allow-origin')).toBe('*');
        expect(listed(reply.headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
        expect(listed(reply.headers.get('access-control-allow-headers'))).toEqual(
          expect.arrayContaining(asked.split(',')),
        );
      }
    });
  });

  describe('HEAD', () => {
    it('has the status of GET, without a body', async () => {
      const { path, owner } = await newWebhook(stack.api);
      const token = `Authorization: Bearer ${owner.token}`;
      for (const [route, line] of [
        [path, 'X: y'],
        ['/users/@me', token],
        ['/users/@me', 'X: y'],
        ['/nowhere', 'X: y'],
        ['/guilds/abc', token],
      ] as const) {
        const got = await raw(stack.url, request(`GET /api/v1${route}`, [line]));
        const head = await raw(stack.url, request(`HEAD /api/v1${route}`, [line, 'Connection: close']));
        expect([route, head.status, head.text]).toEqual([route, got.status, '']);
      }
    });
  });

  describe('an unknown route or method', () => {
    it('is 404 NOT_FOUND, inside and outside /api/v1', async () => {
      const { api } = await newcomer(stack.api);
      const unknown: [string, string][] = [
        ['GET', '/'],
        ['GET', ''],
        ['GET', '/nowhere'],
        ['GET', '/guilds'],
        ['PUT', '/guilds/1'],
        ['DELETE', '/channels/1/messages/1/more'],
        ['GET', '/channels/1/webhooks/1'],
        ['POST', '/webhooks/1/x/statuspages'],
        ['PATCH', '/auth/login'],
        ['GET', '/auth/login'],
        ['PUT', '/users/@me'],
        ['GET', '/Users/@me'],
        ['PROPFIND', '/users/@me'],
        ['GET', '/%zz'],
        ['GET', '/nowhere/%00'],
        ['GET', `/${'x/'.repeat(2000)}`],
      ];
      for (const [method, path] of unknown) {
        expectError(await api.send(method, path), 404, 'NOT_FOUND');
      }
      // The web app has a page at `/`.
      for (const path of [
        '/nope',
        '/api',
        '/api/v2/users/@me',
        '/favicon.ico',
        '/../etc/passwd',
        '/%2e%2e/x',
        '//',
        '/api/v1/../v1',
      ]) {
        expectError(await raw(stack.url, request(`GET ${path}`)), 404, 'NOT_FOUND');
      }
      expectError(await raw(stack.url, request('TRACE /api/v1/users/@me')), 404, 'NOT_FOUND');
    });
  });

  describe('the health of the edge', () => {
    it('is served at /livez and /readyz', async () => {
      for (const path of ['/livez', '/readyz']) {
        expect((await fetch(`${stack.url}${path}`)).status).toBe(200);
      }
    });
  });
}

function listed(header: string | null): string[] {
  return (header ?? '').toLowerCase().split(/\s*,\s*/);
}
