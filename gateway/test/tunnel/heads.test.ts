import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from '../support/edge.ts';
import { expectEveryAnswer } from '../support/every-answer.ts';
import { expectNoUncaughtError } from '../support/no-uncaught-error.ts';
import { sendBytes, startTcp, switching, type TcpServer, upgrade } from '../support/realtime.ts';
import { raw, request, wire } from '../support/wire.ts';

expectNoUncaughtError();

/** Keeps the heads of the upgrades that it gets. */
async function startHeads(heads: string[]): Promise<TcpServer> {
  return startTcp((socket) => {
    socket.once('data', (chunk) => heads.push(chunk.toString('latin1')));
    switching(() => undefined)(socket);
  });
}

describe('the head of an upgrade', () => {
  const heads: string[] = [];
  let realtime: TcpServer;
  let edge: Edge;
  let trusting: Edge;
  beforeAll(async () => {
    realtime = await startHeads(heads);
    const realtime_address = realtime.address;
    edge = await startEdge({ config: { realtime_address } });
    trusting = await startEdge({ config: { realtime_address, trusted_proxies: ['127.0.0.1'] } });
  });
  beforeEach(() => {
    heads.length = 0;
  });
  afterAll(async () => {
    await Promise.all([edge.close(), trusting.close()]);
    await realtime.close();
  });

  async function passedOn(bytes: string, through = edge): Promise<string[]> {
    const { status, socket } = await sendBytes(through, bytes);
    socket.destroy();
    expect(status).toBe(101);
    return (heads.at(-1) ?? '').split('\r\n');
  }

  it('is passed on unchanged, except for headers of the connection', async () => {
    const lines = [
      'X-Some: a  b',
      'x-some: \u00fc',
      'Expect: 100-continue',
      'Content-Length: 0',
      'TE: trailers',
    ];
    const sent = upgrade([...lines, 'Keep-Alive: 5', 'X-Request-Id: mine', 'X-Own: 1'], '/gateway?v=1&x=%zz');
    const head = await passedOn(sent.replace('Connection: Upgrade', 'Connection: upgrade, X-Own, Host'));
    expect(head).toEqual([
      'GET /gateway?v=1&x=%zz HTTP/1.1',
      'Host: gatehouse',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
      'X-Some: a  b',
      'x-some: \u00fc',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'X-Forwarded-For: 127.0.0.1',
      'X-Request-Id: mine',
      '',
      '',
    ]);
  });

  it('names the client: its own X-Forwarded-For is dropped', async () => {
    const sent = upgrade(['X-Forwarded-For: 10.0.0.1', 'x-forwarded-for: 10.0.0.2']);
    const named = (await passedOn(sent)).filter((line) => /forwarded/i.test(line));
    expect(named).toEqual(['X-Forwarded-For: 127.0.0.1']);
  });

  it('names the client: a trusted proxy’s X-Forwarded-For is kept', async () => {
    const sent = upgrade(['X-Forwarded-For: 10.0.0.1', 'x-forwarded-for: 10.0.0.2']);
    const named = (await passedOn(sent, trusting)).filter((line) => /forwarded/i.test(line));
    expect(named).toEqual(['X-Forwarded-For: 10.0.0.1, 10.0.0.2, 127.0.0.1']);
    const nothing = await passedOn(upgrade(['X-Forwarded-For:']), trusting);
    expect(nothing).toContain('X-Forwarded-For: 127.0.0.1');
  });

  it('may have a slash before the query', async () => {
    expect((await passedOn(upgrade([], '/gateway/?v=1')))[0]).toBe('GET /gateway/?v=1 HTTP/1.1');
  });

  it('may come a byte at a time', async () => {
    const client = connect({ port: edge.port, host: edge.host, noDelay: true });
    const answered = once(client, 'data');
    for (const byte of upgrade()) await new Promise((resolve) => client.write(byte, resolve));
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 101 /);
    client.destroy();
  });

  const bodiless = upgrade().slice(0, -2);
  it.each<[string, string, number, string]>([
    ['a body', `${bodiless}Content-Length: 5\r\n\r\nhello`, 400, 'INVALID_FORM_BODY'],
    ['chunks', `${bodiless}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400, 'INVALID_FORM_BODY'],
    ['two hosts', upgrade(['Host: other']), 400, 'INVALID_FORM_BODY'],
    ['no host', upgrade().replace('Host: gatehouse\r\n', ''), 400, 'INVALID_FORM_BODY'],
    ['a line break in a header', upgrade(['X-A: a\rX-B: b']), 400, 'INVALID_FORM_BODY'],
    ['a folded header', upgrade(['X-A: a\r\n b']), 400, 'INVALID_FORM_BODY'],
    ['a NUL in a header', upgrade(['X-A: a\0']), 400, 'INVALID_FORM_BODY'],
    ['a head of 16 KiB', upgrade([`X-A: ${'a'.repeat(16_000)}`]), 431, 'REQUEST_HEADER_FIELDS_TOO_LARGE'],
    ['another path', upgrade([], '/gateway/x'), 404, 'NOT_FOUND'],
    ['a path below the API', upgrade([], '/api/v1/nowhere'), 404, 'NOT_FOUND'],
    ['another method', upgrade().replace('GET', 'POST'), 404, 'NOT_FOUND'],
    ['another protocol', upgrade().replace('websocket', 'h2c'), 426, 'UPGRADE_REQUIRED'],
    ['no upgrade', 'GET /gateway?v=1 HTTP/1.1\r\nHost: x\r\n\r\n', 426, 'UPGRADE_REQUIRED'],
    ['no upgrade, and a slash', 'GET /gateway/?v=1 HTTP/1.1\r\nHost: x\r\n\r\n', 426, 'UPGRADE_REQUIRED'],
    ['HTTP/1.0', upgrade().replace('HTTP/1.1', 'HTTP/1.0'), 426, 'UPGRADE_REQUIRED'],
  ])('with %s never reaches realtime', async (_, bytes, status, code) => {
    const answer = await raw(edge, bytes);
    expectEveryAnswer(answer, code);
    expect([answer.status, answer.json().code]).toEqual([status, code]);
    expect(answer.headers.get('upgrade')).toBe(status === 426 ? 'websocket' : null);
    expect(heads).toEqual([]);
    expect((await edge.send('GET //livez')).status).toBe(200);
  });

  it('behind unanswered requests is an ordinary request', async () => {
    const answered = Promise.withResolvers<void>();
    edge.peers.answers.chat = { getInvite: () => answered.promise.then(() => ({ invite: null })) };
    const client = await wire(edge);
    client.write(`${request('GET /invites/abc')}${upgrade()}`);
    await expect.poll(() => edge.peers.calls.map(({ rpc }) => rpc)).toContain('getInvite');
    answered.resolve();
    expect([(await client.answer()).status, (await client.answer()).status]).toEqual([204, 426]);
    client.destroy();
    expect(heads).toEqual([]);
  });
});
