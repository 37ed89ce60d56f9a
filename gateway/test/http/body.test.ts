import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { lastRequest, steps, useEdge } from '../support/edge.ts';
import { expectEveryAnswer } from '../support/every-answer.ts';
import type { Answer } from '../support/http.ts';
import { expectNoUncaughtError } from '../support/no-uncaught-error.ts';
import { SESSION } from '../support/peers.ts';
import { raw, request, wire } from '../support/wire.ts';

const AUTHORIZED = `Authorization: Bearer ${SESSION}`;
const EXECUTE = 'POST /webhooks/41/tok';
const DENIAL = { bucket: 'webhook:execute', limit: 60, retry_after_us: 1, empty_after_us: 1 };

expectNoUncaughtError();

describe('a body with a Content-Encoding', () => {
  const edge = useEdge();
  const encoded = (line: string, encoding: string, lines: readonly string[] = [AUTHORIZED]) =>
    raw(edge, request(line, [`Content-Encoding: ${encoding}`, ...lines], '{"name":"x"}'));

  it.each([
    'POST /guilds',
    'PATCH /users/@me',
    'POST /auth/login',
    'POST /oauth2/token',
    'POST /oauth2/introspect',
    EXECUTE,
    'PATCH /webhooks/41/tok',
    'PATCH /webhooks/41/tok/messages/1',
    'POST /webhooks/41/tok/codehost',
    'POST /webhooks/41/tok/statuspage',
    'POST /webhooks/41/tok/chatcompat',
    'POST /auth/logout',
    'GET /webhooks/41/tok',
    'DELETE /guilds/1',
  ])('is 415 on %s, in chunks too, and reaches no service', async (line) => {
    for (const encoding of ['gzip', 'br', 'deflate', 'x-unknown', 'identity, GZIP']) {
      const answer = await encoded(line, encoding);
      expectEveryAnswer(answer, line);
      expect([answer.status, answer.json().code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
    const chunked = ['Content-Encoding: gzip', 'Transfer-Encoding: chunked', AUTHORIZED];
    expect((await raw(edge, `${request(line, chunked)}1\r\nx\r\n0\r\n\r\n`)).status).toBe(415);
    const reached = edge.peers.calls.map(({ rpc }) => rpc).filter((rpc) => !BEFORE.has(rpc));
    expect(reached).toEqual([]);
  });
  const BEFORE = new Set(['check', 'identify', 'getCurrentUser', 'getTokenWebhook', 'peek']);

  it('is checked after limits, authentication and a webhook’s token', async () => {
    expect((await encoded('POST /guilds', 'gzip', [])).status).toBe(401);
    expect((await encoded('PATCH /users/@me', 'gzip', [])).status).toBe(401);
    edge.peers.denial = DENIAL;
    expect((await encoded(EXECUTE, 'gzip')).status).toBe(429);
  });

  it('does not exist without Content-Length or Transfer-Encoding, and is not encoded without Content-Encoding', async () => {
    expect((await encoded('POST /guilds', 'Identity')).status).toBe(200);
    expect(
      (await raw(edge, request('POST /auth/logout', ['Content-Encoding: gzip', AUTHORIZED]))).status,
    ).toBe(204);
  });
});

describe('an incoming body', () => {
  const edge = useEdge();
  const BODY = '{"content":"hello"}';
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const received = () => Buffer.from(lastRequest<{ body: Uint8Array }>(edge).body).toString();

  it('may arrive in chunks of any size, split anywhere', async () => {
    const connection = await wire(edge);
    connection.write(request(EXECUTE, ['Transfer-Encoding: chunked']));
    for (const char of [...BODY].map(chunk).join('')) connection.write(char);
    connection.write('0\r\nX-Trailer: x\r\n\r\n');
    expect((await connection.answer()).status).toBe(204);
    expect(received()).toBe(BODY);
    connection.destroy();
  });

  it('is requested with 100 Continue', async () => {
    const connection = await wire(edge);
    connection.write(request(EXECUTE, ['Expect: 100-continue', `Content-Length: ${BODY.length}`]));
    connection.write(BODY);
    expect((await connection.answer()).status).toBe(204);
    expect(received()).toBe(BODY);
    connection.destroy();
  });

  it('is not requested before limits and authentication', async () => {
    const lines = ['Content-Length: 100'];
    expect((await raw(edge, request('POST /guilds', lines))).status).toBe(401);
    expect((await raw(edge, request('POST /nothing', lines))).status).toBe(404);
    edge.peers.denial = DENIAL;
    expect((await raw(edge, request(EXECUTE, lines))).status).toBe(429);
    expect((await raw(edge, request('POST /guilds', [...lines, AUTHORIZED]))).status).toBe(429);
  });

  it.each(['POST /auth/login', 'POST /auth/register'])(
    'of %s is requested before the limits',
    async (line) => {
      edge.peers.denial = DENIAL;
      const connection = await wire(edge);
      connection.write(request(line, ['Content-Length: 2']));
      const first = await Promise.race([
        connection.answer().then(() => 'answered'),
        edge.send('GET /users/@me').then(() => 'another request was answered meanwhile'),
      ]);
      expect(first).toBe('another request was answered meanwhile');
      expect(steps(edge)).toEqual(['check']);
      connection.write('{}');
      await expect.poll(() => steps(edge)).toEqual(['check', 'check']);
      connection.destroy();
    },
  );

  it.each([
    ['announced', (limit: number) => [`Content-Length: ${limit + 1}`], () => '{'],
    [
      'in chunks, without an end',
      () => ['Transfer-Encoding: chunked'],
      (limit: number) => chunk('x'.repeat(limit)) + chunk('x'),
    ],
  ])('is 413 as soon as it is known to be too long (%s)', async (_, lines, start) => {
    const connection = await wire(edge);
    const limit = 1024 * 1024;
    connection.write(request(EXECUTE, lines(limit)) + start(limit));
    const answer = await connection.answer();
    expectEveryAnswer(answer, '413');
    expect(answer.status).toBe(413);
    connection.destroy();
  });

  it('that was refused does not harm the next request on its connection', async () => {
    const connection = await wire(edge);
    const long = 'x'.repeat(1024 * 1024 + 1);
    connection.write(request(EXECUTE, [], long));
    expect((await connection.answer()).status).toBe(413);
    connection.write(request('POST /guilds', [], long));
    expect((await connection.answer()).status).toBe(401);
    connection.write(request(EXECUTE, [], BODY));
    expect((await connection.answer()).status).toBe(204);
    expect(received()).toBe(BODY);
    connection.destroy();
  });

  it.each([
    ['before its body', request(EXECUTE, ['Content-Length: 100'])],
    ['within its body', `${request(EXECUTE, ['Content-Length: 100'])}{"content"`],
    ['within a chunk', `${request(EXECUTE, ['Transfer-Encoding: chunked'])}ff\r\n{`],
    ['while its limits are checked', request('GET /users/@me', [AUTHORIZED])],
    ['within its headers', 'POST /api/v1/webhooks/41/tok HTTP/1.1\r\nHos'],
  ])('executes nothing if the client disconnects %s', async (_, bytes) => {
    for (let n = 0; n < 20; n++) {
      const connection = await wire(edge);
      connection.write(bytes);
      if (n % 2 === 0) await edge.send('GET /webhooks/41/tok');
      connection.destroy();
    }
    expect((await edge.send(EXECUTE, { body: BODY })).status).toBe(204);
    expect(steps(edge).filter((rpc) => rpc === 'executeWebhook')).toHaveLength(1);
  });

  it('may be refused for a client that does not read the answer', async () => {
    for (let n = 0; n < 20; n++) {
      const connection = await wire(edge);
      connection.write(request('GET /users/@me', [AUTHORIZED]).repeat(20));
      connection.destroy();
    }
    expect((await edge.send('GET /webhooks/41/tok')).status).toBe(200);
  });
});

describe('a body that stalls', () => {
  // The edge's own 60 s are too long for a test.
  const bounds = { ...readConfig({}).bounds, headers_timeout_ms: 300, request_timeout_ms: 300 };
  const edge = useEdge({ config: { bounds } });

  it.each<[string, string]>([
    ['after half of it', `${request(EXECUTE, ['Content-Length: 100'])}{"content":`],
    ['before the limits', request('POST /auth/login', ['Content-Length: 100'])],
    ['within a chunk', `${request(EXECUTE, ['Transfer-Encoding: chunked'])}ff\r\n{`],
    ['within the headers', 'POST /api/v1/webhooks/41/tok HTTP/1.1\r\nHos'],
  ])('%s is 408 with the usual error body, and ends the connection', async (_, bytes) => {
    const connection = await wire(edge);
    connection.write(bytes);
    const answer: Answer = await connection.answer();
    expectEveryAnswer(answer, 'stalled');
    expect([answer.status, answer.json().code]).toEqual([408, 'REQUEST_TIMEOUT']);
    await connection.closed();
    expect(steps(edge)).not.toContain('executeWebhook');
  });
});
