import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { joinSockets } from '../../src/tunnel/join-sockets.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Two ends of a connection. */
async function pair(): Promise<[near: Socket, far: Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const near = connect(port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  for (const socket of [near, far]) sockets.push(socket.on('error', () => undefined));
  return [near, far];
}

it('ends for a client that reads nothing after the upstream has closed', async () => {
  const [client, remote] = await pair();
  const [upstream, realtime] = await pair();
  remote.pause();
  const joined = joinSockets(client, upstream, () => undefined, 2_000);
  const paused = once(upstream, 'pause');
  realtime.write(Buffer.alloc(64 * 1024 * 1024));
  await paused;
  realtime.resetAndDestroy();
  await joined;
  expect([client.destroyed, upstream.destroyed]).toEqual([true, true]);
});

it('continues while only one side sends', async () => {
  const [client, remote] = await pair();
  const [upstream, realtime] = await pair();
  let isOver = false;
  const joined = joinSockets(client, upstream, () => undefined, 1_500).then(() => {
    isOver = true;
  });
  const began_ms = performance.now();
  while (performance.now() - began_ms < 4_000) {
    const received = once(remote, 'data');
    realtime.write('x');
    await received;
  }
  expect(isOver).toBe(false);
  remote.end();
  realtime.end();
  await joined;
});
