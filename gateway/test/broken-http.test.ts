import { silentLogger } from '@gatehouse/kit/log';
import { connectServices } from '../src/services.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../src/app.ts';
import { ROUTES } from '../src/routes/index.ts';
import { steps, useEdge } from './support/edge.ts';
import { expectEveryAnswer } from './support/every-answer.ts';
import type { Answer } from './support/http.ts';
import { type Peers, SESSION, startPeers } from './support/peers.ts';
import { raw, request, wire } from './support/wire.ts';

const AUTHORIZED = `Authorization: Bearer ${SESSION}`;
const EXECUTE = 'POST /webhooks/41/tok';
const DENIAL = { bucket: 'webhook:execute', limit: 60, retry_after_us: 1, empty_after_us: 1 };

/** Nothing a connection does may end the process or leave a promise that nobody handles. */
const failures: unknown[] = [];
const note = (error: unknown) => failures.push(error);
beforeAll(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  expect(failures).toEqual([]);
});

describe('what is no HTTP', () => {
  const edge = useEdge();
  const START = 'GET /api/v1/users/@me HTTP/1.1\r\nHost: x\r\n';

  it.each<[string, string]>([
    ['no request line', 'hello\r\n\r\n'],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['an unknown method', 'FOO /api/v1/users/@me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['no Host', 'GET /api/v1/users/@me HTTP/1.1\r\n\r\n'],
    ['no Host on an unknown route', 'GET /api/v1/nothing HTTP/1.1\r\n\r\n'],
    ['a header without a colon', `${START}nonsense\r\n\r\n`],
    ['a header name with a blank', `${START}Bad Name: x\r\n\r\n`],
    ['a NUL byte in a header', `${START}X-Odd: a\0b\r\n\r\n`],
    ['bytes above ASCII in the path', 'GET /api/v1/guilds/\xff HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', `${START}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${START}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a length that is none', `${START}Content-Length: -1\r\n\r\n`],
  ])('(%s) is 400 in the contract’s form', async (_, bytes) => {
    const answer = await raw(edge, Buffer.from(bytes, 'latin1'));
    expectEveryAnswer(answer, bytes);
    expect(answer.json()).toEqual({
      error: '400 Bad Request',
      code: 'INVALID_FORM_BODY',
      message: 'Invalid form body.',
      errors: [{ path: 'root', code: 'INVALID_FORMAT', message: 'Not an HTTP request.' }],
    });
    expect(edge.peers.asked).toEqual([]);
  });

  it.each<[string, string]>([
    ['a header of 70,000 bytes', `${START}X-Long: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['a path of 70,000 bytes', `GET /api/v1/guilds/${'1'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a query of 70,000 bytes', `GET /api/v1/users/@me?${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['10,000 headers', `${START}${'X-Many: x\r\n'.repeat(10_000)}\r\n`],
  ])('(%s) is 431 in the contract’s form, and ends the connection', async (_, bytes) => {
    const connection = await wire(edge);
    connection.write(bytes);
    const answer = await connection.answer();
    expectEveryAnswer(answer, bytes.slice(0, 50));
    expect([answer.status, answer.json().code]).toEqual([431, 'REQUEST_HEADER_FIELDS_TOO_LARGE']);
    await connection.closed();
  });

  it('(bad chunks) is 400, though the request had begun', async () => {
    const lines = ['Transfer-Encoding: chunked'];
    const answer = await raw(edge, `${request(EXECUTE, lines)}zz\r\n{}\r\n0\r\n\r\n`);
    expectEveryAnswer(answer, 'bad chunks');
    expect(answer.status).toBe(400);
    expect(steps(edge)).not.toContain('executeWebhook');
  });

  it('takes an expectation that it does not know for none', async () => {
    expect((await raw(edge, request('GET /users/@me', [AUTHORIZED, 'Expect: miracles']))).status).toBe(200);
  });
});

describe('a body on its way', () => {
  const edge = useEdge();
  const BODY = '{"content":"hello"}';
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const received = () => {
    const { body } = edge.peers.asked.at(-1)?.request as { body: Uint8Array };
    return Buffer.from(body).toString();
  };

  it('may come in chunks, of any size, and split anywhere', async () => {
    const connection = await wire(edge);
    connection.write(request(EXECUTE, ['Transfer-Encoding: chunked']));
    for (const char of [...BODY].map(chunk).join('')) connection.write(char);
    connection.write('0\r\nX-Trailer: x\r\n\r\n');
    expect((await connection.answer()).status).toBe(204);
    expect(received()).toBe(BODY);
    connection.destroy();
  });

  it('is waited for with 100 Continue', async () => {
    const connection = await wire(edge);
    connection.write(request(EXECUTE, ['Expect: 100-continue', `Content-Length: ${BODY.length}`]));
    connection.write(BODY);
    expect((await connection.answer()).status).toBe(204);
    expect(received()).toBe(BODY);
    connection.destroy();
  });

  it('is not waited for before limits and authentication', async () => {
    const lines = ['Content-Length: 100'];
    expect((await raw(edge, request('POST /guilds', lines))).status).toBe(401);
    expect((await raw(edge, request('POST /nothing', lines))).status).toBe(404);
    edge.peers.denial = DENIAL;
    expect((await raw(edge, request(EXECUTE, lines))).status).toBe(429);
    expect((await raw(edge, request('POST /guilds', [...lines, AUTHORIZED]))).status).toBe(429);
  });

  it.each(['POST /auth/login', 'POST /auth/register'])('of %s is waited for before the limits', async (line) => {
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
  });

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

  it('that was refused does not spoil the next request on its connection', async () => {
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
  ])('may end with the client, %s, and nothing is executed', async (_, bytes) => {
    for (let n = 0; n < 20; n++) {
      const connection = await wire(edge);
      connection.write(bytes);
      if (n % 2 === 0) await edge.send('GET /webhooks/41/tok');
      connection.destroy();
    }
    expect((await edge.send(EXECUTE, { body: BODY })).status).toBe(204);
    expect(steps(edge).filter((rpc) => rpc === 'executeWebhook')).toHaveLength(1);
  });

  it('may end with a client that does not read its answer', async () => {
    for (let n = 0; n < 20; n++) {
      const connection = await wire(edge);
      connection.write(request('GET /users/@me', [AUTHORIZED]).repeat(20));
      connection.destroy();
    }
    expect((await edge.send('GET /webhooks/41/tok')).status).toBe(200);
  });
});

describe('one connection', () => {
  const edge = useEdge();

  it('may carry requests that do not wait for each other; answers come in their order', async () => {
    edge.peers.answers.chat = {
      // The first asked answers last.
      getGuild: async ({ guild_id }) => {
        await expect.poll(() => steps(edge).filter((rpc) => rpc === 'getGuild').length).toBe(4 - Number(guild_id) + 1);
        return { guild: null };
      },
    };
    const connection = await wire(edge);
    const lines = [AUTHORIZED];
    connection.write(
      [
        request('GET /users/@me', lines),
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
    expect(answers).toEqual([200, 200, 400, 404, 200, 401]);
    connection.destroy();
  });

  it('may speak HTTP/1.0, ask for an upgrade or carry a body on GET', async () => {
    expect((await raw(edge, 'GET /api/v1/webhooks/41/tok HTTP/1.0\r\n\r\n')).status).toBe(200);
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    expect((await raw(edge, request('GET /webhooks/41/tok', upgrade))).status).toBe(200);
    expect((await raw(edge, request('GET /webhooks/41/tok', ['Content-Type: application/json'], '{"'))).status).toBe(200);
  });
});

describe('a body that stalls', () => {
  let peers: Peers;
  let closing: (() => Promise<unknown>)[];
  let address: { host: string; port: number };
  const PATIENCE_MS = 300;

  beforeAll(async () => {
    peers = await startPeers();
    const connections = connectServices(peers.addresses, 'stream', silentLogger);
    const app = await buildApp(ROUTES, { connections, trusted_proxies: [], log: silentLogger });
    // The edge's own 60 s are too long for a test; Node looks at the clock every so often.
    Object.assign(app.server, { requestTimeout: PATIENCE_MS, connectionsCheckingInterval: 50 });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const [bound] = app.addresses();
    address = { host: '127.0.0.1', port: bound?.port ?? 0 };
    closing = [() => app.close(), async () => Object.values(connections).map((one) => one.close()), () => peers.close()];
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  it.each<[string, string]>([
    ['after half of it', `${request(EXECUTE, ['Content-Length: 100'])}{"content":`],
    ['before the limits', request('POST /auth/login', ['Content-Length: 100'])],
    ['within a chunk', `${request(EXECUTE, ['Transfer-Encoding: chunked'])}ff\r\n{`],
    ['within the headers', 'POST /api/v1/webhooks/41/tok HTTP/1.1\r\nHos'],
  ])('%s is 408 in the contract’s form, and ends the connection', async (_, bytes) => {
    peers.reset();
    const connection = await wire(address);
    connection.write(bytes);
    const answer: Answer = await connection.answer();
    expectEveryAnswer(answer, 'stalled');
    expect([answer.status, answer.json().code]).toEqual([408, 'REQUEST_TIMEOUT']);
    await connection.closed();
    expect(peers.asked.map(({ rpc }) => rpc)).not.toContain('executeWebhook');
  });
});
