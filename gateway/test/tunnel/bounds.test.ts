import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { processStopwatch } from '@gatehouse/dev-env/processes/stopwatches';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Edge, startEdge } from '../support/edge.ts';
import {
  echo,
  openWebSocket,
  type Realtime,
  sendBytes,
  startRealtime,
  startSilent,
  startTcp,
  switching,
  upgrade,
} from '../support/realtime.ts';
import { raw, wire } from '../support/wire.ts';

const MiB = 1024 * 1024;

describe('a tunnel', () => {
  let realtime: Realtime;
  beforeAll(async () => {
    realtime = await startRealtime();
  });
  afterAll(() => realtime.close());

  const edgeWith = (bounds: Partial<ReturnType<typeof readConfig>['bounds']> = {}): Promise<Edge> => {
    const realtime_address = realtime.address;
    return startEdge({ config: { realtime_address, bounds: { ...readConfig({}).bounds, ...bounds } } });
  };

  it.each(['max_connections', 'max_connections_per_address'] as const)(
    'counts as a connection (%s), and is never closed to make room',
    async (bound) => {
      const edge = await edgeWith({ [bound]: 3 });
      const sockets = [await openWebSocket(edge), await openWebSocket(edge), await openWebSocket(edge)];
      const refused = connect(edge.port, edge.host).resume();
      refused.on('error', () => undefined);
      await once(refused, 'close');
      for (const socket of sockets) expect(String(await echo(socket, 'here'))).toBe('here');
      sockets[0]?.terminate();
      await expect.poll(async () => (await wireTo(edge)).status).toBe(200);
      for (const socket of sockets) socket.terminate();
      await edge.close();
    },
  );

  it('is refused if it would take the last descriptors', async () => {
    const edge = await edgeWith({ max_tunnels: 1 });
    const socket = await openWebSocket(edge);
    expect((await raw(edge, upgrade())).status).toBe(503);
    socket.terminate();
    await expect
      .poll(async () => {
        const { status, socket } = await sendBytes(edge, upgrade());
        socket.destroy();
        return status;
      })
      .toBe(101);
    await edge.close();
  });

  /** The status of /livez on a new connection; 0 if the connection is closed. */
  async function wireTo(edge: Edge): Promise<{ status: number }> {
    return raw(edge, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n').catch(() => ({ status: 0 }));
  }

  it('is a request under way while realtime has not answered', async () => {
    const silent = await startSilent();
    const bounds = { ...readConfig({}).bounds, max_requests: 2 };
    const edge = await startEdge({ config: { realtime_address: silent.address, bounds } });
    const waiting = [await wire(edge), await wire(edge)];
    for (const client of waiting) client.write(upgrade());
    await expect.poll(() => silent.sockets.length).toBe(2);
    expect((await raw(edge, upgrade())).status).toBe(503);
    for (const client of waiting) client.reset();
    await expect.poll(() => silent.sockets.every(({ closed }) => closed)).toBe(true);
    await edge.close();
    await silent.close();
  });

  it('counts its head and the bytes after it until realtime answers', async () => {
    const silent = await startSilent();
    const bounds = { ...readConfig({}).bounds, max_head_bytes: 320 * 1024 };
    const edge = await startEdge({ config: { realtime_address: silent.address, bounds } });
    const long = upgrade([`X-Long: ${'x'.repeat(14_000)}`]);
    const first = await Promise.all(Array.from({ length: 8 }, () => wire(edge)));
    for (const client of first) client.write(long);
    await expect.poll(() => silent.sockets.length).toBe(8);
    for (const client of first.slice(4)) client.write('x'.repeat(30_000));
    await Promise.any(first.slice(4).map((client) => client.closed()));
    expect((await edge.send('GET //readyz')).json()).toMatchObject({ shedding: ['head_bytes'] });
    expect(silent.sockets.slice(0, 4).every(({ closed }) => !closed)).toBe(true);
    for (const client of first) client.reset();
    await expect.poll(() => silent.sockets.filter(({ closed }) => closed).length).toBeGreaterThanOrEqual(8);

    let last = await wire(edge);
    for (let count = 0; count < 24; count++) {
      last.reset();
      last = await wire(edge);
      const before = silent.sockets.length;
      last.write(long);
      await expect.poll(() => silent.sockets.length, { interval: 5 }).toBeGreaterThan(before);
    }
    expect((await edge.send('GET //livez')).status).toBe(200);
    expect(silent.sockets.at(-1)?.closed, 'all are released').toBe(false);
    last.reset();
    await expect.poll(() => silent.sockets.every(({ closed }) => closed)).toBe(true);
    await edge.close();
    await silent.close();
  });

  it('is closed if its client sends more than 64 KiB before realtime answers', async () => {
    const silent = await startSilent();
    const edge = await startEdge({ config: { realtime_address: silent.address } });
    const hasty = await wire(edge);
    hasty.write(upgrade());
    await expect.poll(() => silent.sockets.length).toBe(1);
    for (let count = 0; count < 40; count++) hasty.write('x'.repeat(4_000));
    await hasty.closed().catch(() => undefined); // perhaps by a reset
    await expect.poll(() => silent.sockets[0]?.closed).toBe(true);
    await edge.close();
    await silent.close();
  });

  it('is closed if it has the most unsent bytes', async () => {
    const flood = await startTcp(
      switching((socket) => {
        socket.on('data', (chunk: Buffer) => socket.write(chunk));
        socket.write(Buffer.alloc(16 * MiB));
      }),
    );
    const bounds = { ...readConfig({}).bounds, max_unsent_bytes: MiB / 8 };
    const edge = await startEdge({ config: { realtime_address: flood.address, bounds } });
    const stuck: Socket[] = [];
    while (stuck.length < 6) stuck.push((await sendBytes(edge, upgrade())).socket.pause());
    await expect.poll(() => stuck.every(({ readableLength }) => readableLength > 0)).toBe(true);
    const reader = (await sendBytes(edge, upgrade())).socket.resume();
    await expect.poll(() => edge.log.join('')).toContain('"reason":"unsent_bytes"');
    await expect.poll(() => flood.sockets.slice(0, 6).some(({ closed }) => closed)).toBe(true);
    for (const socket of [...stuck, reader]) socket.destroy();
    await flood.close();
    await edge.close();
  });

  it('stays open while the edge closes, until realtime ends it', async () => {
    const edge = await edgeWith();
    const socket = await openWebSocket(edge);
    const took_ms = processStopwatch();
    const closing = edge.close();
    await expect.poll(() => refuses(edge)).toBe(true);
    expect(String(await echo(socket, 'still here'))).toBe('still here');
    for (const client of realtime.server.clients) client.close(1001);
    expect((await once(socket, 'close'))[0]).toBe(1001);
    await closing;
    expect(took_ms()).toBeLessThan(5_000);
  });

  it('is cut off 8 s after the edge begins to close', async () => {
    const edge = await edgeWith();
    const socket = await openWebSocket(edge);
    const from_ms = performance.now();
    const took_ms = processStopwatch();
    const closing = edge.close();
    expect((await once(socket, 'close'))[0]).toBe(1006);
    await closing;
    expect(performance.now() - from_ms).toBeGreaterThan(7_000);
    expect(took_ms()).toBeLessThan(9_500);
  });

  async function refuses(edge: Edge): Promise<boolean> {
    try {
      (await wire(edge)).destroy();
      return false;
    } catch {
      return true;
    }
  }
});
