import { describe, expect, it } from 'vitest';
import { type RawReply, raw, request } from '../support/raw.ts';

const NOWHERE = 'GET /api/v1/nowhere';
const WEB_SOCKET = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
const POST = 'POST /api/v1/guilds';

/** Requests that the edge judges itself, or Envoy as the edge would: each gets the same response through Envoy. */
const ODD: readonly (readonly [what: string, bytes: string])[] = [
  ['a parameter with %2F', request('GET /api/v1/channels/1%2F2')],
  ['@me as %40me', request('GET /api/v1/users/%40me')],
  ['a broken escape', request('GET /api/v1/channels/%zz')],
  ['%00', request('GET /api/v1/channels/%00')],
  ['two slashes', request('GET /api/v1//channels/1')],
  ['dots', request('GET /api/v1/channels/../users/@me')],
  ['dots as escapes', request('GET /api/v1/channels/%2e%2e/users/@me')],
  ['a dot', request('GET /api/v1/./users/@me')],
  ['a backslash', request('GET /api/v1/channels\\1')],
  ['a semicolon', request('GET /api/v1/channels/1;a=b')],
  ['two question marks', request('GET /api/v1/channels/1??x')],
  ['bytes beyond ASCII', request('GET /api/v1/channels/\u00ff')],
  ['60,000 digits', request(`GET /api/v1/channels/${'9'.repeat(60_000)}`)],
  [
    '300 headers',
    request(
      NOWHERE,
      Array.from({ length: 300 }, (_, n) => `X-A${n}: a`),
    ),
  ],
  ['a header with an underscore', request(NOWHERE, ['x_a: a'])],
  ['a control character in a header', request(NOWHERE, ['X-A: a\u0001'])],
  ['a space before a colon', request(NOWHERE, ['X-A : b'])],
  ['two Authorization headers', request('GET /api/v1/users/@me', ['Authorization: a', 'Authorization: b'])],
  ['HTTP/1.0 without Host', `${NOWHERE} HTTP/1.0\r\n\r\n`],
  ['HTTP/1.1 without Host', `${NOWHERE} HTTP/1.1\r\n\r\n`],
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ['TRACE', request('TRACE /api/v1/nowhere')],
  ['OPTIONS', request('OPTIONS /api/v1/users/@me', ['Origin: https://a.example'])],
  ['HEAD', request('HEAD /api/v1/oauth2/authorize')],
  ['/gateway', request('GET /gateway')],
  ['/gateway as a WebSocket', request('GET /gateway', WEB_SOCKET)],
  ['a WebSocket elsewhere', request(NOWHERE, WEB_SOCKET)],
  ['an offer of TLS', request(NOWHERE, ['Connection: Upgrade', 'Upgrade: TLS/1.2'])],
  [
    'an offer of HTTP/2',
    request(NOWHERE, ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAM']),
  ],
  ['an expectation', request(POST, ['Content-Type: application/json', 'Expect: 100-continue'], '{}')],
  ['an unknown expectation', request(POST, ['Content-Type: application/json', 'Expect: much'], '{}')],
  ['two lengths', request(POST, ['Content-Length: 4', 'Content-Length: 5'])],
  ['a length and chunks', request(POST, ['Content-Length: 4', 'Transfer-Encoding: chunked'])],
  ['an unknown coding', request(POST, ['Transfer-Encoding: gzip'])],
  ['a broken chunk', `${request(POST, ['Transfer-Encoding: chunked'])}zz\r\n`],
  ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n'],
  ['a request ID', request(NOWHERE, [`X-Request-Id: ${'a'.repeat(128)}`])],
  ['a request ID that is too long', request(NOWHERE, [`X-Request-Id: ${'a'.repeat(129)}`])],
  ['an empty request ID', request(NOWHERE, ['X-Request-Id: '])],
];

export function oddHttpThroughEnvoy(urls: () => { edge: string; envoy: string }): void {
  describe('an odd request', () => {
    it.each(ODD)('(%s) gets the edge’s response through Envoy too', async (_, text) => {
      const bytes = Buffer.from(text, 'latin1');
      const { edge, envoy } = urls();
      const direct = await raw(edge, bytes);
      // Anonymous requests are few enough not to reach a limit.
      expect(direct.status).not.toBe(429);
      expect(comparable(await raw(envoy, bytes))).toEqual(comparable(direct));
    });

    it('of an unknown method is refused in the edge’s form', async () => {
      const bytes = Buffer.from(request('FOO /api/v1/nowhere'), 'latin1');
      const { edge, envoy } = urls();
      for (const [url, status, code] of [
        [edge, 404, 'NOT_FOUND'],
        [envoy, 400, 'INVALID_FORM_BODY'], // its parser has no other methods
      ] as const) {
        const answer = await raw(url, bytes);
        expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { code }]);
      }
    });
  });
}

/** The response as a client reads it, without the generated request ID and the headers of the connection. */
function comparable({ status, headers, text }: RawReply) {
  const { date, connection, upgrade, 'keep-alive': _, ...rest } = Object.fromEntries(headers);
  const id = rest['x-request-id'] ?? '';
  const wasMade = /^[0-9a-f]{24}$|^[0-9a-f-]{36}$/.test(id);
  return { status, text, headers: { ...rest, 'x-request-id': wasMade ? 'new' : id } };
}
