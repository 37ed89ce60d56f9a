import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { type Answer, commandOf, Visitor } from '../visitor.ts';

let service: ConsoleUnderTest;
let command: Visitor;
beforeAll(async () => {
  service = await startConsole('console_bad_input');
  command = await commandOf(service, 'tester');
});
afterAll(() => service.close());

const codeOf = ({ status, body }: Answer) => [status, body.code];

describe('a search', () => {
  it.each(['%', "'", '%%%', '\\', 'a\tb', '🦊', '"; DROP TABLE operators; --', '../../etc/passwd'])(
    'for %j has an answer',
    async (q) => {
      const { status, body } = await command.get(`/api/search?q=${encodeURIComponent(q)}`);
      expect(status).toBe(200);
      expect(body).toEqual({ results: [], unavailable: ['accounts', 'applications', 'guilds', 'webhooks'] });
    },
  );

  it.each([`q=${'a'.repeat(10_240)}`, 'q=%00', 'q=a&q=b'])('for %.20s is refused', async (query) => {
    expect(codeOf(await command.get(`/api/search?${query}`))).toEqual([400, 'INVALID_FORM_BODY']);
  });

  it('knows what a text is by its form', async () => {
    const kinds = async (q: string) => {
      const { body } = await command.get(`/api/search?q=${encodeURIComponent(q)}`);
      return (body.results as { kind: string; href: string }[]).map(({ kind, href }) => `${kind} ${href}`);
    };
    expect(await kinds('account:1')).toEqual(['identity /limits?identity=account%3A1']);
    expect(await kinds('2001:db8::1')).toEqual(['identity /limits?identity=ip%3A2001%3Adb8%3A%3A%2F64']);
    expect(await kinds('::ffff:192.0.2.1')).toEqual(['identity /limits?identity=ip%3A192.0.2.1']);
    expect(await kinds('0123456789abcdef01234567')).toEqual(['request /requests/0123456789abcdef01234567']);
    expect(await kinds('tester')).toEqual(['operator /log?operator=tester']);
  });
});

describe('a request', () => {
  it('with a body over 64 KiB is refused', async () => {
    const answer = await command.post('/api/operators', { name: 'a'.repeat(70_000) });
    expect(codeOf(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each(['{', '[1]', '"text"', '{"__proto__":{"role":"admin"}}'])(
    'with the body %s is refused',
    async (body) => {
      expect((await command.send('POST', '/api/operators', body)).status).toBe(400);
    },
  );

  it('names every problem of a form', async () => {
    const { status, body } = await command.send('PUT', '/api/limits/overrides', { limit: -1, exempt: 'yes' });
    expect(status).toBe(400);
    expect((body.errors as { path: string }[]).map(({ path }) => path)).toEqual([
      'identity',
      'limit',
      'exempt',
      'expires_at_ms',
      'reason',
    ]);
  });

  it.each(['', ' ', 'a'.repeat(513), 1, null])('with the reason %.10j is refused', async (reason) => {
    const answer = await command.post('/api/accounts/1/suspend', { reason });
    expect(codeOf(answer)).toEqual([400, 'INVALID_FORM_BODY']);
  });

  it.each(['abc', '-1', '99999999999999999999', '%00', '1%2F2'])('with the ID %s is refused', async (id) => {
    expect((await command.get(`/api/accounts/${id}`)).status).toBe(400);
    expect((await command.post(`/api/accounts/${id}/suspend`, { reason: 'x' })).status).toBe(400);
  });

  it('to an unknown route is 404', async () => {
    expect(codeOf(await command.get('/api/nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await command.send('DELETE', '/api/accounts/1'))).toEqual([404, 'NOT_FOUND']);
  });

  it('to another name is refused: a site whose name leads to this machine sends its own', async () => {
    expect(await statusAtHost('rebound.example')).toBe(400);
    expect(await statusAtHost('localhost')).toBe(401);
  });

  function statusAtHost(host: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = request(`${service.url}/api/me`, { headers: { host } }, ({ statusCode }) =>
        resolve(statusCode),
      );
      sent.once('error', reject);
      sent.end();
    });
  }
});

it('every answer forbids frames, sniffing and referrers', async () => {
  for (const path of ['/', '/api/me', '/api/nothing', '/accounts/1']) {
    const { headers } = await new Visitor(service).get(path);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
  }
});

it('an operator without the role is refused, and can look', async () => {
  const reader = await commandOf(service, 'reader', 'read');
  const support = await commandOf(service, 'support', 'support');
  const reason = 'no';
  for (const [visitor, path] of [
    [reader, '/api/accounts/1/suspend'],
    [reader, '/api/webhooks/1/disable'],
    [reader, '/api/limits/reset'],
    [support, '/api/guilds/1/disable'],
    [support, '/api/accounts/1/revoke-grants'],
    [support, '/api/operators'],
    [support, '/api/jobs/run'],
  ] as const)
    expect(codeOf(await visitor.post(path, { reason })), path).toEqual([403, 'ACCESS_DENIED']);
  expect((await reader.get('/api/log')).status).toBe(200);
});
