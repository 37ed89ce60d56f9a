import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleUnderTest, startConsole } from '../start-console.ts';
import { newOperator, Visitor } from '../visitor.ts';

let service: ConsoleUnderTest;
let authorization: string;
let command: Visitor;
beforeAll(async () => {
  service = await startConsole('console_every_answer');
  authorization = `Bearer ${(await newOperator(service, 'tester')).token}`;
  command = new Visitor(service, { headers: { authorization } });
});
afterAll(() => service.close());

const EVERYWHERE = {
  'content-security-policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

function expectGuarded(headers: ReadonlyMap<string, string>): void {
  expect(Object.fromEntries(headers)).toMatchObject(EVERYWHERE);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends bytes, and reads until the server closes the connection. */
async function raw(bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const answer = await text(socket);
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), body: answer.slice(end + 4) };
}

const HOST = 'Host: localhost\r\nConnection: close\r\n';

describe('an answer to what is hardly a request forbids frames, sniffing and caches:', () => {
  it.each<[string, number, string]>([
    ['no HTTP', 400, 'hello\r\n\r\n'],
    ['an unknown method', 400, `BREW /api/me HTTP/1.1\r\n${HOST}\r\n`],
    ['a method of WebDAV', 404, `PROPFIND /api/me HTTP/1.1\r\n${HOST}\r\n`],
    ['TRACE', 404, `TRACE /api/me HTTP/1.1\r\n${HOST}\r\n`],
    ['no host', 400, 'GET /api/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an unknown expectation', 401, `GET /api/me HTTP/1.1\r\n${HOST}Expect: 999\r\n\r\n`],
    ['a space in a header’s name', 400, `GET /api/me HTTP/1.1\r\n${HOST}X y: 1\r\n\r\n`],
    [
      'two lengths',
      400,
      `POST /api/sign-in/link HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    ],
    [
      'a broken chunk',
      400,
      `POST /api/sign-in/link HTTP/1.1\r\n${HOST}x-gatehouse-console: 1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ['a head over 32 KiB', 431, `GET /api/me HTTP/1.1\r\n${HOST}X-Long: ${'a'.repeat(33_000)}\r\n\r\n`],
    ['a broken escape in the path', 400, `GET /api/accounts/%E0%A4%A HTTP/1.1\r\n${HOST}\r\n`],
    ['a long part of a path', 404, `GET /api/accounts/${'1'.repeat(600)} HTTP/1.1\r\n${HOST}\r\n`],
    [
      'a body over 64 KiB',
      413,
      `POST /api/sign-in/link HTTP/1.1\r\n${HOST}x-gatehouse-console: 1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`,
    ],
    [
      'malformed JSON',
      400,
      `POST /api/sign-in/link HTTP/1.1\r\n${HOST}x-gatehouse-console: 1\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{`,
    ],
  ])('%s', async (_, status, bytes) => {
    const answer = await raw(bytes);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
    expectGuarded(answer.headers);
    expect(JSON.parse(answer.body)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  });
});

describe('an answer of the API forbids frames, sniffing and caches:', () => {
  it.each<[string, string, number]>([
    ['GET', '/api/me', 200],
    ['HEAD', '/api/me', 200],
    ['GET', '/api/log.jsonl', 200],
    ['GET', '/api/operators', 200],
    ['HEAD', '/api/nothing', 404],
    ['OPTIONS', '/api/me', 404],
    ['OPTIONS', '/api/sign-in/password', 404],
    ['POST', '/api/accounts/1/suspend', 400],
    ['GET', '/api/guilds', 503],
    ['POST', '/api/sign-out', 200],
    ['GET', '/api', 404],
    ['GET', '/', 404],
  ])('%s %s', async (method, path, status) => {
    const answer = await command.send(method, path);
    expect(answer.status).toBe(status);
    expectGuarded(new Map(answer.headers));
  });

  it('the stream of the overview', async () => {
    const headers = await new Promise<Map<string, string>>((resolve, reject) => {
      const sent = request(
        `${service.url}/api/overview/stream`,
        { headers: { authorization } },
        (response) => {
          response.destroy();
          resolve(new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)])));
        },
      );
      sent.once('error', reject);
      sent.end();
    });
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expectGuarded(headers);
  });
});

describe('a body that forms of other sites can send', () => {
  it.each([
    ['application/x-www-form-urlencoded', 'name=planted&role=admin'],
    ['text/plain', '{"name":"planted","role":"admin"}'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nplanted\r\n--x--',
    ],
    ['application/json, text/plain', '{"name":"planted","role":"admin"}'],
  ])('of the type %s is refused', async (type, body) => {
    for (const [method, path] of [
      ['POST', '/api/operators'],
      ['POST', '/api/sign-out'],
      ['POST', '/api/sign-in/link'],
      ['DELETE', '/api/operators/tester'],
    ] as const) {
      const answer = await command.with({ 'content-type': type }).send(method, path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'BAD_REQUEST']);
    }
  });
});
