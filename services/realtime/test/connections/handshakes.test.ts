import { connect as connectSocket, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HEARTBEAT, IDENTIFY, testConnections } from './support/connections.ts';
import { connect } from './support/raw-client.ts';

const HELLO = { op: 10, d: { heartbeat_interval: 41_250 }, s: null, t: null };

/** A connection that sends this and nothing more. */
async function halfOpen(address: string, text: string): Promise<Socket> {
  const [host, port] = address.split(':');
  const socket = connectSocket({ host, port: Number(port) });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.resume();
  socket.write(text);
  return socket;
}

describe('a handshake', () => {
  it.each([
    '/gateway',
    '/gateway/',
    '/gateway?v=1&encoding=json',
    '/gateway/?encoding=json&v=1&compress=zlib-stream',
    '/gateway?',
    '/gateway?v=1&v=1',
  ])('at %s is answered by Hello', async (path) => {
    const { address } = await testConnections();
    const opened = await connect(address, { path });

    expect(await opened.next()).toEqual(HELLO);
    opened.close(1000);
    await opened.gone();
  });

  it('has the headers of every response', async () => {
    const { address } = await testConnections();
    const named = await connect(address, { path: '/gateway', headers: { 'x-request-id': 'mine' } });
    expect(named.answer).toMatch(/\r\nx-request-id: mine(\r\n|$)/);
    const unnamed = await connect(address, { path: '/gateway' });
    expect(unnamed.answer).toMatch(/\r\nx-request-id: [0-9a-f]{24}(\r\n|$)/);
    expect(unnamed.answer).toMatch(/\r\nx-content-type-options: nosniff(\r\n|$)/);
  });

  it.each([
    ['/gateway?v=2', 4012],
    ['/gateway?v=', 4012],
    ['/gateway?v=1&v=2', 4012],
    ['/gateway?v=01&encoding=etf', 4012],
    ['/gateway?encoding=etf', 4002],
    ['/gateway?encoding=JSON', 4002],
    ['/gateway?v=1&encoding=json&encoding=etf', 4002],
    ['/gateway?encoding=%', 4002],
  ])('at %s is accepted, and closed with %i', async (path, code) => {
    const { address } = await testConnections();
    const opened = await connect(address, { path });

    expect(opened.status).toBe(101);
    expect(await opened.closed()).toBe(code);
  });

  it.each([
    ['/', {}, 404],
    ['/gateway/bot', {}, 404],
    ['/gatewayx', {}, 404],
    ['/api/v1/gateway', {}, 404],
    ['/gateway', { 'sec-websocket-key': undefined }, 400],
    ['/gateway', { 'sec-websocket-key': 'short' }, 400],
    ['/gateway', { 'sec-websocket-version': '12' }, 400],
    ['/gateway', { 'sec-websocket-version': undefined }, 400],
    ['/gateway', { upgrade: 'h2c' }, 400],
    ['/gateway', { upgrade: undefined, connection: undefined }, 426],
    ['/', { upgrade: undefined, connection: undefined }, 404],
  ])('at %s with %j is refused with %i', async (path, headers, status) => {
    const { address, count, state } = await testConnections();

    const refused = await connect(address, { path, headers });

    expect(refused.status).toBe(status);
    const [, body = ''] = refused.answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ error: expect.stringContaining(String(status)) });
    expect(count()).toBe(0);
    expect(state().refused).toEqual(new Map([[status, 1]]));
  });

  it('of another version is answered with the supported one', async () => {
    const { address } = await testConnections();
    const { answer } = await connect(address, { headers: { 'sec-websocket-version': '12' } });
    expect(answer.toLowerCase()).toContain('\r\nsec-websocket-version: 13\r\n');
  });

  it.each(['permessage-deflate', 'permessage-deflate; client_max_window_bits'])(
    'with the extension %s may be compressed if a setting allows it',
    async (offer) => {
      const { address } = await testConnections({ deflate: true });
      const { answer } = await connect(address, { headers: { 'sec-websocket-extensions': offer } });
      expect(answer).toMatch(/^HTTP\/1\.1 101 /);
      expect(answer.toLowerCase()).toContain('sec-websocket-extensions: permessage-deflate');
    },
  );

  it('with 16 KiB of headers is refused with 431', async () => {
    const { address } = await testConnections();

    expect((await connect(address, { headers: { cookie: 'x'.repeat(17_000) } })).status).toBe(431);
  });

  it.each(['POST', 'HEAD', 'OPTIONS', 'DELETE'])('by %s is not a route', async (method) => {
    const { address } = await testConnections();

    const plain = { upgrade: undefined, connection: undefined };

    expect((await connect(address, { method })).status).toBe(404);
    expect((await connect(address, { method, headers: plain })).status).toBe(404);
  });

  it('that is not HTTP is answered, and the connection closed', async () => {
    const { address } = await testConnections();
    const broken = await connect(address, { method: 'G\0T' });

    expect(broken.status).toBe(400);
    await broken.gone();
  });

  it("has its caller's request ID", async () => {
    const { address } = await testConnections();

    const refused = await connect(address, { path: '/', headers: { 'x-request-id': 'mine' } });

    expect(refused.answer).toMatch(/\r\nx-request-id: mine\r\n/i);
  });

  it('has a timeout, byte by byte or not at all', async () => {
    const { address, state } = await testConnections({
      settings: { handshake_within_ms: 200, close_within_ms: 100 },
    });
    const slow = await halfOpen(address, 'GET /gateway HTTP/1.1\r\n');
    const silent = await halfOpen(address, '');

    const sending = setInterval(() => slow.write('x'), 20);
    await expect.poll(() => [slow, silent].map(({ closed }) => closed)).toEqual([true, true]);
    clearInterval(sending);

    await expect.poll(() => state().handshakes).toBe(0);
  });

  it('succeeds beside 2,000 that never finish, of which a limited number is held', async () => {
    const { address, client, state } = await testConnections({ settings: { max_handshakes: 100 } });
    const halfOpens: Socket[] = [];
    for (let count = 0; count < 2_000; count++)
      halfOpens.push(await halfOpen(address, 'GET /gateway HTTP/1.1\r\n'));

    expect(state().handshakes).toBeLessThanOrEqual(100);
    const opened = await client();
    expect(opened.status).toBe(101);
    expect(state().cut_handshakes).toBeGreaterThanOrEqual(1_900);
    expect(state().connections).toBe(1);

    for (const socket of halfOpens) socket.destroy();
    await expect.poll(() => state().handshakes).toBe(0);
  });
});

describe('connections', () => {
  const bounds = { max_connections: 3, max_connections_per_address: 2, max_waiting_bytes: 1 << 24 };

  it('are limited by address, and counted down again', async () => {
    const { session, address, count } = await testConnections({ bounds });
    const first = await session();
    await session();

    expect((await connect(address)).status).toBe(429);
    expect((await connect(address, { localAddress: '127.0.0.2' })).status).toBe(101);
    first.close(1000);
    await expect.poll(count).toBe(2);

    expect((await connect(address)).status).toBe(101);
  });

  it('are limited in total', async () => {
    const { session, address } = await testConnections({ bounds });
    await session();
    await session();
    await session({ localAddress: '127.0.0.2' });

    const refused = await connect(address, { localAddress: '127.0.0.3' });

    expect(refused.status).toBe(503);
    expect(refused.answer).toMatch(/\r\nretry-after: 1\r\n/i);
  });

  it('that do not identify make room, the oldest of the address with most of them first', async () => {
    const { client, session, count, state } = await testConnections({
      bounds: { ...bounds, max_connections: 4, max_connections_per_address: 3 },
    });
    const held = await session({ localAddress: '127.0.0.2' });
    const other = await client({ localAddress: '127.0.0.2' });
    const first = await client();
    const second = await client();

    const newcomer = await session({ localAddress: '127.0.0.3' });

    expect(await first.closed()).toBe(4009);
    await expect.poll(count).toBe(4);
    newcomer.send(HEARTBEAT);
    expect(await newcomer.next()).toMatchObject({ op: 11 });
    await session({ localAddress: '127.0.0.3' });
    expect([await other.closed(), state().displaced]).toEqual([4009, 2]);
    await session({ localAddress: '127.0.0.3' });
    expect(await second.closed()).toBe(4009);
    held.send(HEARTBEAT);
    expect(await held.next()).toMatchObject({ op: 11 });
  });

  it('make no room for an invalid handshake', async () => {
    const { address, client, state } = await testConnections({ bounds: { ...bounds, max_connections: 1 } });
    const idle = await client();
    expect((await connect(address, { headers: { 'sec-websocket-key': 'short' } })).status).toBe(400);
    idle.send(HEARTBEAT);
    expect(await idle.next()).toMatchObject({ op: 11 });
    expect(state().displaced).toBe(0);
  });

  it('of an address at its limit make room for that address', async () => {
    const { client, session, count } = await testConnections({ bounds });
    const other = await client({ localAddress: '127.0.0.2' });
    const idle = await client();
    await session();

    await session();

    expect(await idle.closed()).toBe(4009);
    await expect.poll(count).toBe(3);
    other.send(HEARTBEAT);
    expect(await other.next()).toMatchObject({ op: 11 });
  });

  it('count by the address that a trusted proxy reports, IPv6 by /64', async () => {
    const trusted_proxies = ['127.0.0.1'];
    const { address } = await testConnections({ bounds: { ...bounds, max_connections: 9 }, trusted_proxies });
    const from = async (forwarded: string, localAddress = '127.0.0.1'): Promise<number> => {
      const opened = await connect(address, { headers: { 'x-forwarded-for': forwarded }, localAddress });
      onTestFinished(() => void opened.socket.destroy());
      if (opened.status !== 101) return opened.status;
      opened.send(IDENTIFY);
      await opened.next(); // Hello
      await opened.next(); // READY
      return opened.status;
    };

    expect(await from('2001:db8::1')).toBe(101);
    expect(await from('10.0.0.1, 2001:db8::2')).toBe(101);
    expect(await from('2001:db8::ffff:3')).toBe(429);
    expect(await from('2001:db8:0:1::1')).toBe(101);
    expect(await from('203.0.113.1', '127.0.0.2')).toBe(101);
    expect(await from('203.0.113.2', '127.0.0.2')).toBe(101);
    expect(await from('203.0.113.3', '127.0.0.2')).toBe(429);
  });

  it('are refused after stopAccepting, and existing ones stay', async () => {
    const { client, address, stopAccepting, state } = await testConnections();
    const opened = await client();
    const half = await halfOpen(address, 'GET /gateway');
    await expect.poll(() => state().handshakes).toBe(1);

    stopAccepting();

    await new Promise((resolve) => half.once('close', resolve));
    expect((await connect(address)).answer).toBe('');
    opened.send({ op: 1, d: null });
    expect(await opened.next()).toMatchObject({ op: 11 });
  });
});
