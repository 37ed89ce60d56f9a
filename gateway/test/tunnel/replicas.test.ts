import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@gatehouse/dev-env/free-port';
import { afterEach, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from '../support/edge.ts';
import { expectEveryAnswer } from '../support/every-answer.ts';
import { expectNoUncaughtError } from '../support/no-uncaught-error.ts';
import {
  deadAddress,
  echo,
  openWebSocket,
  type Realtime,
  startRealtime,
  startSilent,
  startTcp,
  upgrade,
} from '../support/realtime.ts';
import { raw, wire } from '../support/wire.ts';

expectNoUncaughtError();

describe('an upgrade goes', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close();
  });

  async function keep<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
    const server = await opening;
    opened.push(server);
    return server;
  }
  const replica = (): Promise<Realtime> => keep(startRealtime());
  const edgeTo = (...addresses: string[]): Promise<Edge> =>
    keep(startEdge({ config: { realtime_address: addresses.join(', ') } }));
  const counts = (...replicas: Realtime[]): number[] => replicas.map(({ server }) => server.clients.size);

  it('to the replica with the fewest tunnels', async () => {
    const [first, second] = [await replica(), await replica()];
    const edge = await edgeTo(first.address, second.address);
    const sockets: { readonly readyState: number }[] = [];
    for (let count = 0; count < 6; count++) sockets.push(await openWebSocket(edge));
    expect(counts(first, second)).toEqual([3, 3]);
    for (const client of first.server.clients) client.terminate();
    await expect
      .poll(() => sockets.filter(({ readyState }) => readyState === WebSocket.CLOSED))
      .toHaveLength(3);
    for (let count = 0; count < 3; count++) await openWebSocket(edge);
    expect(counts(first, second)).toEqual([3, 3]);
  });

  it('to the next replica if one is down, by refusal or by reset', async () => {
    const alive = await replica();
    const cutting = await keep(startTcp((socket) => socket.once('data', () => socket.resetAndDestroy())));
    const edge = await edgeTo(await deadAddress(), cutting.address, alive.address);
    for (let count = 0; count < 6; count++) await openWebSocket(edge);
    expect(counts(alive)).toEqual([6]);
    expect(cutting.sockets.length, 'it is avoided for a while').toBeLessThan(3);
  });

  it('to the next replica if one is full; if all are full, the client gets the answer', async () => {
    const FULL =
      'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
    const full = await keep(startTcp((socket) => socket.once('data', () => socket.end(FULL))));
    const free = await replica();
    const edge = await edgeTo(full.address, free.address);
    for (let count = 0; count < 6; count++) await openWebSocket(edge);
    expect(counts(free)).toEqual([6]);
    expect(full.sockets.length, 'it is avoided for a while').toBeLessThan(3);
    const alone = await edgeTo(full.address);
    const answer = await raw(alone, upgrade());
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
  });

  it('to a replica that is back', async () => {
    const port = await freePort();
    const first = await startRealtime(port);
    const edge = await edgeTo(first.address);
    await openWebSocket(edge);
    await first.close();
    expect((await raw(edge, upgrade())).status).toBe(503);
    await keep(startRealtime(port));
    expect(String(await echo(await openWebSocket(edge), 'back'))).toBe('back');
  });

  it('to any address of a name', async () => {
    const { address } = await replica();
    const edge = await edgeTo(address.replace('127.0.0.1', 'localhost'));
    expect(String(await echo(await openWebSocket(edge), 'by name'))).toBe('by name');
  });

  it('nowhere if all replicas are down: 503, like other errors', async () => {
    const edge = await edgeTo(await deadAddress(), 'nowhere.invalid:1');
    const answer = await raw(edge, upgrade(['X-Request-Id: mine']));
    expectEveryAnswer(answer, '503');
    expect([answer.status, answer.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    const given = ['retry-after', 'x-request-id', 'connection'].map((name) => answer.headers.get(name));
    expect(given).toEqual(['1', 'mine', 'close']);
    const logged = edge.log.filter((line) => line.includes('"route":"/gateway"'));
    expect(logged.map((line) => JSON.parse(line).status)).toEqual([503]);
  });

  it('nowhere if a replica is silent: 504', async () => {
    const silent = await keep(startSilent());
    const edge = await edgeTo(silent.address);
    const answer = await raw(edge, upgrade());
    expectEveryAnswer(answer, '504');
    expect([answer.status, answer.json().code]).toEqual([504, 'GATEWAY_TIMEOUT']);
    await expect.poll(() => silent.sockets[0]?.closed).toBe(true);
  });

  it('no further if its client has disconnected', async () => {
    const silent = await keep(startSilent());
    const edge = await edgeTo(silent.address);
    const client = connect(edge.port, edge.host);
    client.write(upgrade());
    await expect.poll(() => silent.sockets.length).toBe(1);
    client.resetAndDestroy();
    await once(silent.sockets[0] as (typeof silent.sockets)[0], 'close');
    const logged = () => edge.log.filter((line) => line.includes('"route":"/gateway"'));
    await expect.poll(logged).toHaveLength(1);
    expect(JSON.parse(logged()[0] ?? '')).toMatchObject({ status: 499 });
  });
});

describe('an answer of realtime other than 101', () => {
  it('reaches the client; the client’s further bytes are dropped', async () => {
    let received = '';
    const upstream = await startTcp((socket) => {
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno');
      socket.once('end', () => socket.end());
    });
    const edge = await startEdge({ config: { realtime_address: upstream.address } });
    try {
      const client = await wire(edge);
      const smuggled = upgrade(['X-Forwarded-For: 10.9.9.9']);
      client.write(upgrade() + smuggled);
      expect(await client.answer()).toMatchObject({ status: 400, text: 'no' });
      client.write(smuggled);
      await client.closed();
      expect(received).toContain('GET /gateway HTTP/1.1');
      expect(received).not.toContain('10.9.9.9');
    } finally {
      await edge.close();
      await upstream.close();
    }
  });
});
