import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventStream } from '../../src/overview/event-stream.ts';

const MIB = 1024 * 1024;
const HEARTBEAT_MS = 20;

/** A server of one stream. `isSignedIn` says of each operator whether the check succeeds. */
async function startStream() {
  const stream = new EventStream(HEARTBEAT_MS);
  const signedOut = new Set<string>();
  const app = fastify({ forceCloseConnections: 'idle' });
  const gate: { opens: Promise<void> } = { opens: Promise.resolve() };
  app.get<{ Querystring: { name?: string } }>('/stream', async ({ query: { name = '' } }, reply) => {
    await gate.opens;
    const check = async () => {
      if (signedOut.has(name)) throw new Error('signed out');
    };
    stream.open(reply, { operator: name, check });
  });
  app.addHook('preClose', async () => stream.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  const { port } = app.server.address() as AddressInfo; // a listening TCP server has one
  return { stream, app, signedOut, gate, port };
}

/** A client that keeps what it reads. */
async function reader(port: number, name = '') {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET /stream?name=${name} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  let text = '';
  let isClosed = false;
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('close', () => {
    isClosed = true;
  });
  return { socket, text: () => text, isClosed: () => isClosed };
}

/** A client that sends its request and reads nothing of the answer. */
async function stuck(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET /stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
  return socket;
}

describe('a stream of events', () => {
  it('reaches every reader, with heartbeats between the events', async () => {
    const { stream, port } = await startStream();
    const readers = [await reader(port), await reader(port), await reader(port)];
    await expect.poll(() => stream.size).toBe(3);
    stream.send('snapshot', '{"at_ms":1}');
    for (const { text } of readers) {
      await expect.poll(text).toContain('event: snapshot\ndata: {"at_ms":1}\n\n');
      await expect.poll(text).toMatch(/\n: \n\n/);
      expect(text()).toMatch(/^HTTP\/1.1 200 [\s\S]*content-type: text\/event-stream[\s\S]*retry: 1000\n\n/);
    }
  });

  it('forgets a reader that goes away', async () => {
    const { stream, port } = await startStream();
    const readers = [await reader(port), await reader(port)];
    await expect.poll(() => stream.size).toBe(2);
    readers[0]?.socket.destroy();
    await expect.poll(() => stream.size).toBe(1);
    readers[1]?.socket.resetAndDestroy();
    await expect.poll(() => stream.size).toBe(0);
    stream.send('snapshot', '{}');
  });

  it('never begins for a reader that left before', async () => {
    const { stream, port, gate, app } = await startStream();
    const { promise, resolve } = Promise.withResolvers<void>();
    gate.opens = promise;
    const gone = await reader(port);
    await expect.poll(() => connectionsOf(app.server)).toBe(1);
    gone.socket.destroy();
    await expect.poll(() => connectionsOf(app.server)).toBe(0);
    resolve();
    gate.opens = Promise.resolve();
    const here = await reader(port);
    await expect.poll(here.text).toContain('retry: ');
    expect(stream.size).toBe(1);
  });

  it('cuts off a reader that does not read, and takes nothing from the others', async () => {
    const { stream, port } = await startStream();
    const slow = await stuck(port);
    const other = await reader(port);
    await expect.poll(() => stream.size).toBe(2);
    const data = 'x'.repeat(MIB / 2);
    let sent = 0;
    while (stream.size === 2 && sent < 100) {
      stream.send('snapshot', data);
      sent++;
      const bytes = sent * data.length;
      await expect.poll(() => other.text().length, { interval: 5 }).toBeGreaterThan(bytes);
    }
    expect(stream.size).toBe(1);
    expect(other.isClosed()).toBe(false);
    slow.resume();
    await once(slow, 'close');
    stream.send('snapshot', 'last');
    await expect.poll(other.text).toContain('data: last\n\n');
  });

  it('ends when its operator is signed out, and others go on', async () => {
    const { stream, port, signedOut } = await startStream();
    const [kim, lee] = [await reader(port, 'kim'), await reader(port, 'lee')];
    await expect.poll(() => stream.size).toBe(2);
    signedOut.add('kim');
    await expect.poll(() => stream.size).toBe(1);
    await expect.poll(kim.text).toMatch(/0\r\n\r\n$/);
    stream.send('snapshot', '{}');
    await expect.poll(lee.text).toContain('event: snapshot');
    expect(kim.text()).not.toContain('event: snapshot');
  });

  it('is one of at most 16 of an operator, which leaves room for others', async () => {
    const { stream, port } = await startStream();
    await Promise.all(Array.from({ length: 16 }, () => reader(port, 'kim')));
    await expect.poll(() => stream.size).toBe(16);
    const tooMany = await reader(port, 'kim');
    await expect.poll(tooMany.text).toMatch(/^HTTP\/1.1 500/); // the console's error handler answers 503
    const lee = await reader(port, 'lee');
    await expect.poll(lee.text).toContain('retry: ');
  });

  it('is one of at most 64, and a reader that leaves makes room', async () => {
    const { stream, port } = await startStream();
    const readers = await Promise.all(
      Array.from({ length: 64 }, (_, n) => reader(port, `operator-${n % 8}`)),
    );
    await expect.poll(() => stream.size).toBe(64);
    const tooMany = await reader(port);
    await expect.poll(tooMany.text).toMatch(/^HTTP\/1.1 500/); // the console's error handler answers 503
    expect(stream.size).toBe(64);
    readers[0]?.socket.destroy();
    await expect.poll(() => stream.size).toBe(63);
    const next = await reader(port);
    await expect.poll(next.text).toContain('retry: ');
  });

  it('ends when the server stops, and none begins afterwards', async () => {
    const { stream, port, app } = await startStream();
    const readers = [await reader(port), await reader(port)];
    await expect.poll(() => stream.size).toBe(2);
    await app.close();
    for (const { text, isClosed } of readers) {
      await expect.poll(isClosed).toBe(true);
      expect(text()).toMatch(/0\r\n\r\n$/);
    }
    expect(stream.size).toBe(0);
  });
});

function connectionsOf(server: {
  getConnections: (done: (error: Error | null, count: number) => void) => void;
}) {
  return new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
