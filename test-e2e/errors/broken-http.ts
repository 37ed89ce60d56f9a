import { connect } from 'node:net';
import { until } from '@gatehouse/dev-env/until';
import { describe, expect, it } from 'vitest';
import { newWebhook } from '../support/people.ts';
import { type RawReply, raw, request } from '../support/raw.ts';
import { expectErrorForm } from '../support/response-rules.ts';
import { isComposed, type TestStack } from '../support/stack.ts';

const START = 'GET /api/v1/users/@me HTTP/1.1\r\nHost: x\r\n';

/** Malformed HTTP requests, and requests over a limit of the parser. */
const BROKEN: [string, string][] = [
  ['not HTTP', 'hello\r\n\r\n'],
  ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['an unknown method', 'FOO /api/v1/users/@me HTTP/1.1\r\nHost: x\r\n\r\n'],
  // Envoy treats it as 1.1.
  ...(isComposed ? [] : [['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'] as [string, string]]),
  ['a header without a colon', `${START}nonsense\r\n\r\n`],
  ['a header name with a space', `${START}Bad Name: x\r\n\r\n`],
  ['a NUL byte in a header', `${START}X-Odd: a\0b\r\n\r\n`],
  ['a NUL byte in the path', 'GET /api/v1/guilds/\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a header of 100 KiB', `${START}X-Long: ${'x'.repeat(100 * 1024)}\r\n\r\n`],
  ['a path of 100 KiB', `GET /api/v1/guilds/${'1'.repeat(100 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['10,000 headers', `${START}${'X-Many: x\r\n'.repeat(10_000)}\r\n`],
  [
    'two different Content-Lengths',
    'POST /api/v1/guilds HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  ],
  [
    'Content-Length with chunked encoding',
    'POST /api/v1/guilds HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a negative Content-Length', 'POST /api/v1/guilds HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
];

export function brokenHttp(stack: TestStack): void {
  describe('a malformed HTTP request', () => {
    it.each(BROKEN)(
      '(%s) is refused with the standard error body, and its connection is closed',
      async (_, bytes) => {
        const reply = await raw(stack.url, Buffer.from(bytes, 'latin1'), { checked: false });
        expectClientError(reply);
        expectErrorForm(reply, 'broken HTTP');
        expect(reply.headers.get('connection')).toBe('close');
      },
    );

    it('(bad chunks) is refused with the standard error body', async () => {
      const { path } = await newWebhook(stack.api);
      const bytes = `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`;
      const reply = await raw(stack.url, bytes, { checked: false });
      expect(reply.status).toBe(400);
      expectErrorForm(reply, 'bad chunks');
    });

    it('(no Host, an unknown expectation) gets a 4xx', async () => {
      for (const bytes of ['GET /api/v1/users/@me HTTP/1.1\r\n\r\n', `${START}Expect: miracles\r\n\r\n`]) {
        expectClientError(await raw(stack.url, bytes, { checked: false }));
      }
    });
  });

  describe('unusual but valid HTTP', () => {
    it('is served: 1.0, pipelining, an upgrade, Expect, an absolute target, a GET with a body', async () => {
      const { path } = await newWebhook(stack.api);
      const get = `GET /api/v1${path}`;
      expect((await raw(stack.url, `${get} HTTP/1.0\r\n\r\n`)).status).toBe(200);
      expect((await raw(stack.url, request(get, ['Connection: Upgrade', 'Upgrade: websocket']))).status).toBe(
        200,
      );
      expect(
        (
          await raw(
            stack.url,
            request(get, ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: x']),
          )
        ).status,
      ).toBe(200);
      expect(
        (await raw(stack.url, request(get, ['Content-Type: application/json'], '{"broken'))).status,
      ).toBe(200);
      const body = '{"content":"expected"}';
      const execute = request(
        `POST /api/v1${path}`,
        ['Content-Type: application/json', 'Expect: 100-continue'],
        body,
      );
      expect((await raw(stack.url, execute)).status).toBe(204);
      const absolute = await raw(stack.url, request(`GET http://elsewhere.example/api/v1${path}`));
      expect(absolute.status).toBeLessThan(500);
      const pipelined = await raw(stack.url, request(get).repeat(3));
      expect(pipelined.status).toBe(200);
    });

    it('may repeat single-value headers', async () => {
      const { path } = await newWebhook(stack.api);
      const lines = [
        'Content-Type: application/json',
        'Content-Type: text/plain',
        'X-Request-Id: a',
        'X-Request-Id: b',
        'X-Codehost-Event: push',
        'X-Codehost-Event: ping',
        'X-Codehost-Delivery: 1',
        'X-Codehost-Delivery: 2',
        'X-Forwarded-For: 1.1.1.1',
        'X-Forwarded-For: nonsense, , 2.2.2.2',
        'Origin: a',
        'Origin: b',
        'User-Agent: x',
        'User-Agent: y',
      ];
      expect((await raw(stack.url, request(`POST /api/v1${path}/codehost`, lines, '{}'))).status).toBe(204);
      expect(
        (await raw(stack.url, request(`POST /api/v1${path}`, lines, '{"content":"x"}'))).status,
      ).toBeLessThan(500);
    });
  });

  describe('a client that disconnects', () => {
    it('during a request or response leaves nothing hanging', async () => {
      const { path, execute } = await newWebhook(stack.api);
      const { hostname, port } = new URL(stack.url);
      for (const half of [
        request(`POST /api/v1${path}`, ['Content-Type: application/json', 'Content-Length: 500']),
        request(`POST /api/v1${path}?wait=true`, ['Content-Type: application/json'], '{"content":"x"}'),
        'GET /api/v1/us',
      ]) {
        const socket = connect(Number(port), hostname, () => socket.write(half, () => socket.destroy()));
        socket.on('error', () => {});
        await until('the socket is gone', 30_000, () => (socket.closed ? true : undefined));
      }
      expect((await execute({ content: 'still here' })).status).toBe(204);
    });
  });
}

function expectClientError({ status }: RawReply): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
}
