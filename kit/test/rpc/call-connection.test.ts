import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { faultOf } from '@gatehouse/dev-env/faults';
import { freePort } from '@gatehouse/dev-env/free-port';
import { CallFrame } from '@gatehouse/proto/kit/calls';
import { describe, expect, it } from 'vitest';
import { Status } from '../../src/fault.ts';
import { MAX_FRAME_BYTES } from '../../src/rpc/limits.ts';
import { atEnd, client, start, text } from '../support/echo-service.ts';
import { LOOPBACK } from '../support/loopback.ts';
import { answers } from '../support/raw-peer.ts';

/** Faults below the frames of the call stream: unexpected HTTP/2. */

const UNAVAILABLE = { status: Status.UNAVAILABLE, reason: 'SERVICE_UNAVAILABLE' };
const timeoutMs = 20_000;

async function http2Server(
  onStream: (stream: ServerHttp2Stream) => void,
  prepare: (server: Http2Server) => void = () => undefined,
): Promise<string> {
  const server = createHttp2Server();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    onStream(stream);
  });
  prepare(server);
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  atEnd(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}

function prefixed(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

/** Answers each frame with what `reply` makes of its calls. */
function answering(
  reply: (calls: readonly { id: number; request: Uint8Array }[], stream: ServerHttp2Stream) => void,
) {
  return (stream: ServerHttp2Stream): void => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    let held = Buffer.alloc(0);
    stream.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 5 && held.length >= 5 + held.readUInt32BE(1)) {
        const end = 5 + held.readUInt32BE(1);
        reply(CallFrame.decode(held.subarray(5, end)).calls, stream);
        held = held.subarray(end);
      }
    });
  };
}

describe('the client of a call stream', () => {
  it('reads answers however they are split into chunks', async () => {
    const address = await http2Server(
      answering((calls, stream) => {
        const [one, ...others] = calls.map(({ id, request }) => prefixed(answers({ id, response: request })));
        const bytes = Buffer.concat([one ?? Buffer.alloc(0), prefixed(answers()), ...others]);
        // One byte, then two, then three...
        for (let at = 0, size = 1; at < bytes.length; at += size, size++)
          setImmediate(() => stream.write(bytes.subarray(at, at + size)));
      }),
    );
    const { client: echo } = client(address);
    for (const length of [0, 1, 300, 40_000]) {
      const values = ['a', 'b', 'c'].map((letter) => text(letter.repeat(length)));
      expect(await Promise.all(values.map((value) => echo.say(value, { timeoutMs })))).toEqual(values);
    }
  });

  it.each([
    ['a compressed message', prefixed(answers(), 1)],
    ['the head of a message longer than any frame', prefixed(Buffer.alloc(10), 0, MAX_FRAME_BYTES + 1)],
  ])('closes a stream that sends %s', async (_, bytes) => {
    const address = await http2Server(answering((_calls, stream) => stream.write(bytes)));
    expect(await faultOf(client(address).client.say(text('x'), { timeoutMs }))).toMatchObject(UNAVAILABLE);
  });

  it.each([
    ['an HTTP status', { ':status': 502 }],
    ['only a gRPC status', { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' }],
  ])('fails the calls of a stream refused with %s', async (_, headers) => {
    const address = await http2Server((stream) => stream.respond(headers, { endStream: true }));
    expect(await faultOf(client(address).client.say(text('x'), { timeoutMs }))).toMatchObject(UNAVAILABLE);
  });

  it('reconnects to a server that rejects every connection at once, with a pause', async () => {
    let connections = 0;
    const address = await http2Server(
      () => undefined,
      (server) =>
        server.on('session', (session) => {
          connections++;
          session.goaway();
          session.close();
        }),
    );
    const { client: echo } = client(address);
    const until = performance.now() + 1_000;
    while (performance.now() < until || connections < 2) {
      const { reason } = await faultOf(echo.say(text('x'), { timeoutMs: 100 }));
      expect(['SERVICE_UNAVAILABLE', 'GATEWAY_TIMEOUT']).toContain(reason);
      await new Promise((resolve) => setImmediate(resolve)); // synchronous failures would starve the event loop
    }
    expect(connections).toBeLessThan(30);
  });

  it('reaches a server as soon as it listens, however long there was none', async () => {
    const port = await freePort();
    const address = `${LOOPBACK}:${port}`;
    const clients = Array.from({ length: 20 }, () => client(address).client);
    await delay(1_500); // by now, attempts are half a second apart
    await start((request) => request, { address });
    await delay(50);
    const calls = clients.map((echo) => echo.say(text('x'), { timeoutMs }));
    expect(await Promise.all(calls)).toEqual(calls.map(() => text('x')));
  });

  it('sends no call to a peer that accepts connections but is silent: it is made once, on another', async () => {
    const marker = 'once and nowhere else';
    const accepted: Socket[] = [];
    let received = Buffer.alloc(0);
    const mute = createTcpServer((socket) => {
      accepted.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        received = Buffer.concat([received, bytes]);
      });
    });
    await new Promise<void>((resolve) => mute.listen(0, LOOPBACK, resolve));
    atEnd(() => {
      for (const socket of accepted) socket.destroy();
      mute.close();
    });
    let handled = 0;
    const { address } = await start((request) => {
      handled++;
      return request;
    });
    const { client: echo } = client(`${LOOPBACK}:${(mute.address() as AddressInfo).port},${address}`);
    const calls = Array.from({ length: 10 }, () => echo.say(text(marker), { timeoutMs }));
    expect(await Promise.all(calls)).toHaveLength(10);
    expect(handled).toBe(10);
    expect(received.toString('latin1')).toContain('PRI * HTTP/2.0');
    expect(received.toString('latin1')).not.toContain(marker);
  });

  it('detects a silent peer, and fails its calls', async () => {
    let handled = 0;
    const { address } = await start(() => {
      handled++;
      return new Promise(() => undefined);
    });
    let silent = false;
    const sockets: Socket[] = [];
    const between = createTcpServer((near) => {
      const far = connect(Number(address.split(':')[1]), LOOPBACK);
      sockets.push(near, far);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('error', () => undefined);
        from.on('data', (bytes) => {
          if (!silent) to.write(bytes);
        });
      }
    });
    await new Promise<void>((resolve) => between.listen(0, LOOPBACK, resolve));
    atEnd(() => {
      for (const socket of sockets) socket.destroy();
      between.close();
    });
    const { client: echo } = client(`${LOOPBACK}:${(between.address() as AddressInfo).port}`);
    const call = faultOf(echo.say(text('x'), { timeoutMs: 60_000 }));
    await expect.poll(() => handled).toBe(1);
    silent = true;
    // As for a stopped process: the caller cannot tell whether it is slow or gone.
    expect(await call).toMatchObject({ status: Status.DEADLINE_EXCEEDED, reason: 'GATEWAY_TIMEOUT' });
  });

  it('repeats open calls of a broken connection on a new one, if the contract allows it', async () => {
    let handled = 0;
    const { address } = await start((request) => request, {
      again: (request) => (++handled === 1 ? new Promise(() => undefined) : request),
    });
    const sockets: Socket[] = [];
    const between = createTcpServer((near) => {
      const far = connect(Number(address.split(':')[1]), LOOPBACK);
      sockets.push(near, far);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => between.listen(0, LOOPBACK, resolve));
    atEnd(() => {
      for (const socket of sockets) socket.destroy();
      between.close();
    });
    const { client: echo } = client(`${LOOPBACK}:${(between.address() as AddressInfo).port}`);
    await echo.say(text('x'), { timeoutMs });
    const call = echo.again(text('y'), { timeoutMs });
    await expect.poll(() => handled).toBe(1);
    const settledAt = performance.now() + 600; // a connection that breaks earlier is not reopened at once
    await expect.poll(() => performance.now() > settledAt).toBe(true);
    for (const socket of sockets.splice(0)) socket.destroy();
    expect(await call).toEqual(text('y'));
    expect(handled).toBe(2);
  });

  it('answers a long request that was made before the connection was closed', async () => {
    const { address } = await start((request) => request);
    const connection = client(address);
    const value = text('x'.repeat(70_000));
    const call = connection.client.say(value, { timeoutMs });
    connection.close();
    expect(await call).toEqual(value);
  });
});
