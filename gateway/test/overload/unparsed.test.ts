import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { silentLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { ClientConnections } from '../../src/overload/client-connections.ts';
import { Refusals } from '../../src/overload/refusals.ts';

const KiB = 1024;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';
const bounds = { ...readConfig({}).bounds, max_head_bytes: 400 * KiB };

describe('bytes that are no request yet', () => {
  const clients = new ClientConnections({
    bounds,
    refusals: new Refusals(silentLogger),
    groupOfPeer: (peer) => peer,
    groupOfClient: ({ socket }) => socket.remoteAddress ?? '',
  });
  const requests: IncomingMessage[] = [];
  const server = createServer({ maxHeaderSize: 64 * KiB }, (request, response) => {
    requests.push(request);
    clients.of(request.socket)?.addStarted({ request, response });
    request.on('end', () => response.end()).resume();
  });
  const sockets: Socket[] = [];
  const connections = () => clients.count();

  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function closeAll(): Promise<void> {
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(connections).toBe(0);
  }

  beforeAll(async () => {
    server.on('clientError', (_, socket) => socket.destroy());
    clients.follow(server, { enqueue: () => undefined, hasRoomFor: () => true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it('include neither a complete body nor blank lines', async () => {
    const socket = await open();
    socket.write(`${HEAD}Content-Length: 6000\r\n\r\n`);
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
    await new Promise(setImmediate);
    socket.write(Buffer.alloc(6000));
    await once(socket, 'data');
    socket.write('\r\n'.repeat(500 * KiB));
    socket.write(HEAD);
    await expect.poll(() => clients.heldBytes()).toBe(HEAD.length);
    await closeAll();
    expect(clients.heldBytes()).toBe(0);
  });

  it('include trailers, which are dropped once they are complete', async () => {
    const socket = await open();
    const trailers = 'X-Long: '.padEnd(60_000, 'x');
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n${trailers}`);
    await expect.poll(() => clients.heldBytes()).toBeGreaterThan(50_000);
    socket.write('\r\n\r\n');
    await once(socket, 'data');
    await expect.poll(() => requests.at(-1)?.rawTrailers).toEqual([]);
    await expect.poll(() => clients.heldBytes()).toBe(0);
    await closeAll();
  });

  it('are bounded per address first, and all are freed', async () => {
    const head = `${HEAD}X-Long: ${'x'.repeat(60_000)}`;
    for (let count = 0; count < 10; count++) (await open()).write(head);
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(7);
    const before = clients.heldBytes();
    expect(before).toBeGreaterThan(100 * KiB);
    const other = await open('127.0.0.2');
    other.write(head);
    await expect.poll(() => clients.heldBytes()).toBe(before + head.length);
    other.write('\r\nContent-Length: 0\r\n\r\n');
    await once(other, 'data');
    await closeAll();
    expect(clients.heldBytes()).toBe(0);
  });
});
