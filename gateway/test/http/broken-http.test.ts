import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { steps, useEdge } from '../support/edge.ts';
import { expectEveryAnswer } from '../support/every-answer.ts';
import { expectNoUncaughtError } from '../support/no-uncaught-error.ts';
import { SESSION } from '../support/peers.ts';
import { raw, request, wire } from '../support/wire.ts';

const AUTHORIZED = `Authorization: Bearer ${SESSION}`;
const EXECUTE = 'POST /webhooks/41/tok';

expectNoUncaughtError();

describe('bytes that are not HTTP', () => {
  const edge = useEdge();
  const START = 'GET /api/v1/users/@me HTTP/1.1\r\nHost: x\r\n';

  it.each<[string, string]>([
    ['no request line', 'hello\r\n\r\n'],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a method that is no token', 'F(O /api/v1/users/@me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown method and broken headers', 'FOO / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['an unknown method and an unknown version', 'FOO / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a blank before the method', ' GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no Host', 'GET /api/v1/users/@me HTTP/1.1\r\n\r\n'],
    ['no Host on an unknown route', 'GET /api/v1/nothing HTTP/1.1\r\n\r\n'],
    ['a header without a colon', `${START}nonsense\r\n\r\n`],
    ['a header name with a blank', `${START}Bad Name: x\r\n\r\n`],
    ['a NUL byte in a header', `${START}X-Odd: a\0b\r\n\r\n`],
    ['bytes above ASCII in the path', 'GET /api/v1/guilds/\xff HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', `${START}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${START}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an invalid length', `${START}Content-Length: -1\r\n\r\n`],
  ])('(%s) is 400 with the usual error body', async (_, bytes) => {
    const answer = await raw(edge, Buffer.from(bytes, 'latin1'));
    expectEveryAnswer(answer, bytes);
    expect(answer.json()).toEqual({
      error: '400 Bad Request',
      code: 'INVALID_FORM_BODY',
      message: 'Invalid form body.',
      errors: [{ path: 'root', code: 'INVALID_FORMAT', message: 'Not an HTTP request.' }],
    });
    expect(edge.peers.calls).toEqual([]);
  });

  it.each<[string, string]>([
    ['a header of 70,000 bytes', `${START}X-Long: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['a path of 70,000 bytes', `GET /api/v1/guilds/${'1'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a query of 70,000 bytes', `GET /api/v1/users/@me?${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['10,000 headers', `${START}${'X-Many: x\r\n'.repeat(10_000)}\r\n`],
  ])('(%s) is 431 with the usual error body, and ends the connection', async (_, bytes) => {
    const connection = await wire(edge);
    connection.write(bytes);
    const answer = await connection.answer();
    expectEveryAnswer(answer, bytes.slice(0, 50));
    expect([answer.status, answer.json().code]).toEqual([431, 'REQUEST_HEADER_FIELDS_TOO_LARGE']);
    await connection.closed();
  });

  it('(bad chunks) are 400, though the request had begun', async () => {
    const lines = ['Transfer-Encoding: chunked'];
    const answer = await raw(edge, `${request(EXECUTE, lines)}zz\r\n{}\r\n0\r\n\r\n`);
    expectEveryAnswer(answer, 'bad chunks');
    expect(answer.status).toBe(400);
    expect(steps(edge)).not.toContain('executeWebhook');
  });

  it('ignores an unknown expectation', async () => {
    expect((await raw(edge, request('GET /users/@me', [AUTHORIZED, 'Expect: miracles']))).status).toBe(200);
  });
});

describe('one connection', () => {
  const edge = useEdge();

  it('may carry pipelined requests; answers come in their order', async () => {
    const wasCalled = (rpc: string) => steps(edge).includes(rpc);
    edge.peers.answers.chat = {
      getGuild: async () => {
        await expect.poll(() => wasCalled('createGuild') && wasCalled('getTokenWebhook')).toBe(true);
        return { guild: null };
      },
    };
    const connection = await wire(edge);
    const lines = [AUTHORIZED];
    connection.write(
      [
        request('GET /guilds/1', lines),
        request('POST /guilds', lines, '{"name":"x"}'),
        request('POST /guilds', lines, '{'),
        request('GET /nothing', lines),
        request('HEAD /webhooks/41/tok'),
        request('GET /users/@me'),
      ].join(''),
    );
    const answers: number[] = [];
    for (const bodiless of [false, false, false, false, true, false])
      answers.push((await connection.answer({ bodiless })).status);
    expect(answers).toEqual([204, 200, 400, 404, 200, 401]);
    connection.destroy();
  });

  it('sends outstanding answers before the 400 for bytes that are not HTTP', async () => {
    const wasCalled = (rpc: string) => steps(edge).includes(rpc);
    const answered = Promise.withResolvers<void>();
    edge.peers.answers.chat = { createGuild: () => answered.promise.then(() => ({ guild: null })) };
    const connection = await wire(edge);
    const posted = request('POST /guilds', [AUTHORIZED], '{"name":"x"}');
    connection.write(`${posted}${request('GET /nothing')}\0\0\r\n\r\n`);
    await expect.poll(() => wasCalled('createGuild')).toBe(true);
    connection.write('more of it\r\n\r\n');
    // Once a later client is answered, the written bytes have arrived.
    await edge.send('GET /webhooks/41/tok');
    answered.resolve();
    const answers = [await connection.answer(), await connection.answer(), await connection.answer()];
    expect(answers.map(({ status }) => status)).toEqual([204, 404, 400]);
    expect(answers[2]?.json().errors).toMatchObject([{ path: 'root', code: 'INVALID_FORMAT' }]);
    await connection.closed();
  });

  it('may be half-closed by its client after complete requests, which are answered', async () => {
    const connection = await wire(edge);
    const lines = [AUTHORIZED];
    connection.write(
      [
        request('POST /guilds', lines, '{"name":"x"}'),
        request('GET /webhooks/41/tok'),
        request('GET /nothing'),
      ].join(''),
    );
    connection.end();
    const answers = [await connection.answer(), await connection.answer(), await connection.answer()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    await connection.closed();
  });

  it('is closed after a request with Connection: close; later bytes are ignored (RFC 9112 §9.6)', async () => {
    const connection = await wire(edge);
    connection.write(
      [
        request('GET /webhooks/41/tok'),
        request('POST /guilds', [AUTHORIZED, 'Connection: close'], '{"name":"x"}'),
        request('GET /nothing'),
      ].join(''),
    );
    expect([(await connection.answer()).status, (await connection.answer()).status]).toEqual([200, 200]);
    await connection.closed();
    expect(steps(edge).filter((rpc) => rpc === 'check')).toHaveLength(2);
  });

  it('may speak HTTP/1.0, ask for an upgrade or carry a body on GET', async () => {
    expect((await raw(edge, 'GET /api/v1/webhooks/41/tok HTTP/1.0\r\n\r\n')).status).toBe(200);
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    expect((await raw(edge, request('GET /webhooks/41/tok', upgrade))).status).toBe(200);
    expect(
      (await raw(edge, request('GET /webhooks/41/tok', ['Content-Type: application/json'], '{"'))).status,
    ).toBe(200);
  });
});

describe('an unknown method', () => {
  const edge = useEdge();
  const LINES = ['X-Request-Id: mine', 'X-Forwarded-For: x'];

  it.each(['FOO', 'get', 'Post', 'GETX', 'M-SEEK!', 'DESCRIBE', 'PRI', 'options'])(
    '(%s) is 404 with the caller’s request ID, counts, and ends the connection',
    async (method) => {
      const connection = await wire(edge);
      connection.write(request(`${method} /users/@me`, LINES, '{"what":"ever"}') + request('GET /nothing'));
      const answer = await connection.answer();
      expectEveryAnswer(answer, method);
      expect([answer.status, answer.json().code]).toEqual([404, 'NOT_FOUND']);
      expect(answer.headers.get('x-request-id')).toBe('mine');
      expect(steps(edge)).toEqual(['check']);
      expect(edge.log.filter((line) => line.includes('"request_id":"mine"'))).toEqual([
        expect.stringContaining('"method":"_OTHER","route":"(unmatched)"'),
      ]);
      await connection.closed();
    },
  );

  it('is 404 outside the API, too', async () => {
    const answer = await raw(edge, 'get /livez HTTP/1.0\r\nX-Request-Id: mine\r\n\r\n');
    expectEveryAnswer(answer, 'get');
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([404, 'mine']);
  });

  it('may arrive in pieces, behind requests that are answered first, with a head of any length', async () => {
    const connection = await wire(edge);
    connection.write(request('GET /webhooks/41/tok'));
    const long = `X-Long: ${'x'.repeat(60_000)}`;
    for (const part of request('FOO /nothing', [long, ...LINES]).match(/.{1,2000}|./gs) ?? []) {
      connection.write(part);
      await new Promise(setImmediate);
    }
    expect((await connection.answer()).status).toBe(200);
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([404, 'mine']);
    await connection.closed();
  });
});

describe('an unknown method with a long name or target, and one of RTSP', () => {
  const edge = useEdge();

  it.each([
    [`${'F'.repeat(5_000)} /a HTTP/1.1`],
    [`FOO /${'a'.repeat(20_000)} HTTP/1.1`],
    ...['DESCRIBE', 'SETUP', 'TEARDOWN', 'RECORD', 'FLUSH'].map((method) => [`${method} /a RTSP/1.0`]),
  ])('is 404 with the caller’s request ID (%s)', async (line) => {
    const answer = await raw(edge, `${line}\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n`);
    expectEveryAnswer(answer, line);
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([404, 'mine']);
  });
});

describe('CONNECT', () => {
  const edge = useEdge();
  const CONNECT = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';

  it('is 404 after outstanding answers, and later bytes are ignored', async () => {
    const answered = Promise.withResolvers<void>();
    edge.peers.answers.chat = { createGuild: () => answered.promise.then(() => ({ guild: null })) };
    const connection = await wire(edge);
    const posted = request('POST /guilds', [AUTHORIZED], '{"name":"x"}');
    connection.write(`${posted}${CONNECT}${request('GET /webhooks/41/tok').repeat(100)}`);
    await expect.poll(() => steps(edge)).toContain('createGuild');
    answered.resolve();
    expect([(await connection.answer()).status, (await connection.answer()).status]).toEqual([204, 404]);
    await connection.closed();
    expect(steps(edge)).not.toContain('getTokenWebhook');
  });

  it('has the request ID of its caller', async () => {
    const answer = await raw(edge, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n\r\n');
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([404, 'mine']);
  });

  it('may be reset by its client before it is answered', async () => {
    for (let count = 0; count < 10; count++) {
      const socket = connect(edge.port, edge.host);
      await once(socket, 'connect');
      socket.write(CONNECT);
      socket.resetAndDestroy();
    }
    expect((await edge.send('GET //livez')).status).toBe(200);
  });
});
