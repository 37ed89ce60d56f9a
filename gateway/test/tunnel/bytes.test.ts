import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Edge, startEdge } from '../support/edge.ts';
import { expectNoUncaughtError } from '../support/no-uncaught-error.ts';
import {
  echo,
  openWebSocket,
  type Realtime,
  SWITCHING,
  startRealtime,
  startTcp,
  switching,
  type TcpServer,
  upgrade,
} from '../support/realtime.ts';

expectNoUncaughtError();

const MiB = 1024 * 1024;

describe('a WebSocket through the edge', () => {
  let realtime: Realtime;
  let edge: Edge;
  beforeAll(async () => {
    realtime = await startRealtime();
    // HTTP's timeouts are short here: a tunnel outlives them.
    const bounds = {
      ...readConfig({}).bounds,
      answer_timeout_ms: 3_000,
      headers_timeout_ms: 3_000,
      request_timeout_ms: 3_000,
    };
    edge = await startEdge({ config: { realtime_address: realtime.address, bounds } });
  });
  afterEach(() => {
    edge.log.length = 0;
  });
  afterAll(async () => {
    await edge.close();
    await realtime.close();
  });

  const lines = () => edge.log.filter((line) => line.includes('"request"')).map((line) => JSON.parse(line));

  it('carries text and bytes both ways', async () => {
    const socket = await openWebSocket(edge, { query: '?v=1&encoding=json' });
    expect(realtime.upgrades.at(-1)?.url).toBe('/gateway?v=1&encoding=json');
    expect(String(await echo(socket, 'über'))).toBe('über');
    const bytes = Buffer.alloc(5 * MiB, 'gatehouse');
    expect((await echo(socket, bytes)).equals(bytes)).toBe(true);
    socket.close(1000);
    await once(socket, 'close');
  });

  it('is logged once, when it has ended, without its query', async () => {
    const socket = await openWebSocket(edge, { query: '?secret', headers: { 'x-request-id': 'mine' } });
    expect(lines()).toEqual([]);
    socket.close(1000);
    await expect
      .poll(lines)
      .toMatchObject([{ request_id: 'mine', method: 'GET', route: '/gateway', status: 101, msg: 'request' }]);
    expect(edge.log.join('')).not.toContain('secret');
    expect(
      edge.peers.calls.filter(({ rpc }) => rpc === 'check'),
      'no bucket counts it',
    ).toEqual([]);
  });

  it('may be silent for longer than a connection of HTTP', async () => {
    const socket = await openWebSocket(edge);
    const silent = connect(edge.port, edge.host).resume();
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    silent.write('GET /gateway HT');
    await once(silent, 'close', { signal: AbortSignal.timeout(10_000) });
    expect(String(await echo(socket, 'still here'))).toBe('still here');
    socket.terminate();
  });

  it('may follow answers on the same connection', async () => {
    const socket = connect(edge.port, edge.host);
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.write(upgrade());
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 101 /);
    socket.destroy();
  });
});

describe('a tunnel', () => {
  let upstream: TcpServer;
  let edge: Edge;
  let received: Buffer[];
  let onSwitched: (socket: Socket) => void;
  beforeAll(async () => {
    upstream = await startTcp((socket) => switching((one) => onSwitched(one))(socket));
    edge = await startEdge({ config: { realtime_address: upstream.address } });
  });
  afterAll(async () => {
    await edge.close();
    await upstream.close();
  });

  /** A client's socket after the switch of protocols, and realtime's end of it. */
  async function open(early: string | Buffer = ''): Promise<{ client: Socket; far: Socket }> {
    received = [];
    const switched = new Promise<Socket>((resolve) => {
      onSwitched = (socket) => {
        socket.on('data', (chunk: Buffer) => received.push(chunk));
        resolve(socket);
      };
    });
    const client = connect({ port: edge.port, host: edge.host, allowHalfOpen: true });
    client.on('error', () => undefined);
    client.write(Buffer.concat([Buffer.from(upgrade()), Buffer.from(early)]));
    const far = await switched;
    const [answer] = await once(client, 'data');
    expect(String(answer)).toBe(SWITCHING);
    return { client, far };
  }

  const bytesReceived = () => Buffer.concat(received);

  it('passes on the bytes after the request once realtime has switched protocols', async () => {
    const early = Buffer.alloc(60_000, '0123456789');
    const { client } = await open(early);
    client.write('then');
    await expect.poll(() => bytesReceived().length).toBe(60_004);
    expect(bytesReceived().equals(Buffer.concat([early, Buffer.from('then')]))).toBe(true);
    client.destroy();
  });

  it('passes on an end, and the other side’s later bytes', async () => {
    const { client, far } = await open();
    client.end('last words');
    await once(far, 'end');
    expect(String(bytesReceived())).toBe('last words');
    const answer = once(client, 'data');
    far.write('heard');
    expect(String((await answer)[0])).toBe('heard');
    far.end();
    await once(client, 'close');
  });

  it('passes on an end from realtime, and the client’s later bytes', async () => {
    const { client, far } = await open();
    client.resume();
    far.end();
    await once(client, 'end');
    client.end('bye');
    await once(far, 'close');
    expect(String(bytesReceived())).toBe('bye');
  });

  it.each(['client', 'far'] as const)('is closed on both sides when one (%s) fails', async (side) => {
    const both = await open();
    const other = side === 'client' ? both.far : both.client;
    other.resume();
    both[side].resetAndDestroy();
    await expect.poll(() => other.errored).toMatchObject({ code: 'ECONNRESET' });
  });

  it('reads no more from a client than realtime reads', async () => {
    const { client, far } = await open();
    far.pause();
    const size = 64 * MiB;
    let taken = false;
    client.write(Buffer.alloc(size, 'x'), () => {
      taken = true;
    });
    await expect.poll(() => far.readableLength).toBeGreaterThan(0);
    // Meanwhile other requests are served.
    const kept = received;
    const second = await open();
    second.client.write(Buffer.alloc(5 * MiB));
    await expect.poll(() => bytesReceived().length).toBe(5 * MiB);
    second.client.destroy();
    expect(taken, 'the rest waits with the client').toBe(false);
    received = kept;
    far.resume();
    await expect.poll(() => received.reduce((sum, { length }) => sum + length, 0)).toBe(size);
    client.destroy();
  });

  it('reads no more from realtime than the client reads', async () => {
    const { client, far } = await open();
    client.pause();
    let taken = false;
    const size = 64 * MiB;
    far.write(Buffer.alloc(size, 'y'), () => {
      taken = true;
    });
    await expect.poll(() => client.readableLength).toBeGreaterThan(0);
    const second = await open();
    second.client.destroy();
    expect(taken, 'the rest waits with realtime').toBe(false);
    let bytes = 0;
    client.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    client.resume();
    await expect.poll(() => bytes).toBe(size);
    client.destroy();
  });
});
