import { Writable } from 'node:stream';
import { createLogger } from '@gatehouse/kit/log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ClientConnection } from '../../src/connections/client-connection.ts';
import { dispatchOf } from '../../src/connections/dispatch.ts';
import { HEARTBEAT, IDENTIFY, testConnections } from './support/connections.ts';

const MiB = 1024 * 1024;
const PING = 9;

function event(bytes: number, isOnlyEvent = false) {
  return dispatchOf('MESSAGE_CREATE', JSON.stringify({ content: 'é'.repeat(bytes / 2) }), isOnlyEvent);
}

describe('an event', () => {
  it.each(
    [0, 40, 100, 200, 65_000, 65_536, 300_000].flatMap((bytes) =>
      [false, true].map((isOnlyEvent) => ({ bytes, isOnlyEvent })),
    ),
  )(
    'of about $bytes bytes arrives unchanged, alone in its turn: $isOnlyEvent',
    async ({ bytes, isOnlyEvent }) => {
      const { session, handler } = await testConnections();
      const clients = [await session(), await session()];
      const sent = event(bytes, isOnlyEvent);

      const [one, other] = handler.connected;
      one?.dispatch(2, sent);
      other?.dispatch(2_000_000_001, sent);

      const expected = { op: 0, t: 'MESSAGE_CREATE', d: { content: 'é'.repeat(bytes / 2) } };
      expect(await clients[0]?.next()).toEqual({ ...expected, s: 2 });
      expect(await clients[1]?.next()).toEqual({ ...expected, s: 2_000_000_001 });
    },
  );

  it.each(Array.from({ length: 12 }, (_, n) => n))(
    'of any length has the right frame head: %i',
    async (more) => {
      const { session, handler } = await testConnections();
      const opened = await session();
      const content = 'x'.repeat(68 + more); // the frame's payload has about 125 bytes

      for (const connection of handler.connected)
        connection.dispatch(2, dispatchOf('MESSAGE_CREATE', JSON.stringify({ content }), true));

      expect(await opened.next()).toEqual({ op: 0, s: 2, t: 'MESSAGE_CREATE', d: { content } });
    },
  );

  it('stays in order within its turn, whether it is marked as alone or not', async () => {
    const { session, handler } = await testConnections();
    const opened = await session();
    const alone = [true, false, true, false, false, true];

    for (const connection of handler.connected)
      for (const [n, isOnlyEvent] of alone.entries()) connection.dispatch(n + 2, event(10, isOnlyEvent));

    for (const n of alone.keys()) expect(await opened.next()).toMatchObject({ s: n + 2 });
  });

  it('stays in order among other frames', async () => {
    const { session, handler } = await testConnections();
    const opened = await session();

    for (const connection of handler.connected) {
      connection.dispatch(2, event(10));
      if (connection instanceof ClientConnection) connection.askToReconnect();
      connection.dispatch(3, event(10));
      connection.dispatch(4, event(10));
      connection.close(4000);
      connection.dispatch(5, event(10));
    }

    expect([
      await opened.next(),
      await opened.next(),
      await opened.next(),
      await opened.next(),
    ]).toMatchObject([{ s: 2 }, { op: 7, d: null }, { s: 3 }, { s: 4 }]);
    expect(await opened.closed()).toBe(4000);
    await expect(opened.next()).rejects.toThrow();
  });

  it('is compressed if a setting and the client allow it', async () => {
    const { address, handler } = await testConnections({ deflate: true });
    const ws = new WebSocket(`ws://${address}/gateway`);
    onTestFinished(() => ws.terminate());
    const texts: string[] = [];
    ws.on('message', (data) => {
      if (texts.push(String(data)) === 1) ws.send(JSON.stringify({ ...IDENTIFY, pad: 'x'.repeat(2_000) }));
    });
    await expect.poll(() => texts.length).toBe(2);

    for (const connection of handler.connected)
      for (let s = 2; s <= 50; s++) connection.dispatch(s, event(10_000));

    await expect.poll(() => texts.length).toBe(51);
    expect(ws.extensions).toContain('permessage-deflate');
    expect(texts.slice(1).map((text) => JSON.parse(text).s)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it('cannot inflate beyond the frame limit', async () => {
    const { address } = await testConnections({ deflate: true });
    const ws = new WebSocket(`ws://${address}/gateway`);
    onTestFinished(() => ws.terminate());
    const closed = new Promise((resolve) => ws.on('close', resolve));
    ws.on('open', () => ws.send(' '.repeat(4 * MiB)));

    expect(await closed).toBe(4002);
  });

  it('is read by another WebSocket client', async () => {
    const { address } = await testConnections();
    const client = new globalThis.WebSocket(`ws://${address}/gateway/?v=1&encoding=json`);
    onTestFinished(() => client.close());
    const texts: string[] = [];
    client.addEventListener('message', ({ data }) => {
      if (texts.push(data) === 1) client.send(JSON.stringify(IDENTIFY));
    });

    await expect.poll(() => texts.map((text) => JSON.parse(text).op)).toEqual([10, 0]);
  });
});

describe('a client that never reads', () => {
  it('is cut off when 1 MiB waits for it, and others get all events', async () => {
    const { session, handler, count, state } = await testConnections({ settings: { close_within_ms: 100 } });
    const stuck = await session();
    stuck.socket.pause();
    const reads = await session();
    const [slow] = handler.connected;

    let sent = 1;
    while (handler.ends.length === 0 && sent < 10_000) {
      const next = event(20_000);
      sent++;
      for (const connection of handler.connected) connection.dispatch(sent, next);
      expect((await reads.next()).s).toBe(sent);
    }

    expect(handler.ends).toEqual([undefined]);
    await expect.poll(count).toBe(1);
    expect(slow?.waitingBytes()).toBe(0);
    expect(state()).toMatchObject({ closed: new Map([[4000, 1]]), slow_readers: 1 });
    await expect.poll(() => state().waiting_bytes).toBe(0);
  });

  it('counts once, however many events come after its end, and other ends do not count', async () => {
    const { session, handler, state } = await testConnections({ settings: { close_within_ms: 100 } });
    const stuck = await session();
    stuck.socket.pause();
    const [slow] = handler.connected;

    const long = event(1_000_000);
    for (let seq = 2; seq <= 30; seq++) slow?.dispatch(seq, long);
    const rude = await session();
    rude.send({ op: 3 });
    expect(await rude.closed()).toBe(4001);
    const left = await session();
    left.close(1000);

    await expect.poll(() => handler.ends).toEqual([undefined, undefined, 1000]);
    expect(state().slow_readers).toBe(1);
  });

  it('is not cut off for its Heartbeats and pings while one long event is being sent to it', async () => {
    const { session, handler } = await testConnections();
    const slow = await session();
    slow.socket.pause();
    const [connection] = handler.connected;
    connection?.dispatch(2, event(20_000_000));
    await expect.poll(() => connection?.waitingBytes()).toBeGreaterThan(MiB);
    slow.send(HEARTBEAT);
    slow.sendFrame(PING, 'there?');
    slow.socket.resume();

    expect((await slow.next()).s).toBe(2);
    expect(await slow.next()).toMatchObject({ op: 11 });
    expect(String((await slow.nextControl()).payload)).toBe('there?');
    expect(handler.ends).toEqual([]);
  });

  it('sees 4000 if it reads again soon', async () => {
    const { session, handler } = await testConnections();
    const stuck = await session();
    stuck.socket.pause();
    const [connection] = handler.connected;

    for (let s = 2; handler.ends.length === 0 && s < 10_000; s++) {
      connection?.dispatch(s, event(20_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    stuck.socket.resume();

    expect(await stuck.closed()).toBe(4000);
  });

  it('is cut off first when too much waits for all clients together', async () => {
    const bounds = { max_connections: 100, max_connections_per_address: 100, max_waiting_bytes: 8 * MiB };
    const { session, handler } = await testConnections({
      bounds,
      settings: { max_waiting_bytes_each: MiB * 100 },
    });
    const clients = [await session(), await session(), await session()];
    const [worst, other] = handler.connected;
    clients[0]?.socket.pause();
    clients[1]?.socket.pause();
    const filled = event(MiB);

    let s = 1;
    while (handler.ends.length === 0 && s < 200) {
      s++;
      worst?.dispatch(s, filled);
      if (s % 4 === 0) other?.dispatch(s, event(1_000));
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(handler.ends).toEqual([undefined]);
    expect([...handler.connected][0]).toBe(other);
    expect(handler.connected.size).toBe(2);
    await clients[0]?.socket.resume();
    expect(await clients[0]?.closed()).toBe('none');
  });

  it('is cut off after the close timeout', async () => {
    const { session, count } = await testConnections({
      settings: { heartbeat_interval_ms: 1_000, close_within_ms: 100 },
    });
    const stuck = await session();
    stuck.socket.pause();

    await expect.poll(count).toBe(0);
  });
});

describe('drain', () => {
  it('asks all clients to reconnect, spread over the time, and then closes with 1001', async () => {
    const { session, client, drain, count } = await testConnections({ settings: { leave_within_ms: 50 } });
    const sessions = await Promise.all(Array.from({ length: 20 }, () => session()));
    const fresh = await client();
    const began = performance.now();
    const asked: number[] = [];

    const drained = drain(2_000);
    for (const opened of sessions) {
      expect(await opened.next()).toEqual({ op: 7, d: null, s: null, t: null });
      asked.push(performance.now() - began);
    }

    expect(await Promise.all(sessions.map((opened) => opened.closed()))).toEqual(sessions.map(() => 1001));
    expect(await fresh.closed()).toBe(1001);
    await drained;
    expect(count()).toBe(0);
    expect(asked[0]).toBeLessThan(1_000);
    expect(asked.at(-1)).toBeGreaterThan(1_500);
  });

  it('ends when the clients have left', async () => {
    const { session, drain, handler } = await testConnections({ settings: { leave_within_ms: 60_000 } });
    const opened = await session();

    const drained = drain(10);
    await opened.next();
    opened.close(4200);
    await drained;

    expect(handler.ends).toEqual([4200]);
  });

  it('has a timeout for clients that do not answer', async () => {
    const { session, drain, handler } = await testConnections({ settings: { leave_within_ms: 50 } });
    const stuck = await session({ is_rude: true });
    const began = performance.now();

    await drain(10);

    expect(performance.now() - began).toBeLessThan(2_500);
    expect(handler.connected.size).toBe(0);
    await stuck.gone();
  });
});

describe('close', () => {
  it('cuts the connections that are left', async () => {
    const { session, client, close, handler } = await testConnections();
    const clients = [await session(), await client()];

    await close();

    await Promise.all(clients.map((opened) => opened.gone()));
    expect(handler.ends).toEqual([undefined]);
  });
});

describe('the log', () => {
  it('logs how a connection ended, and nothing that a client sent', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const log = createLogger({ name: 'realtime', level: 'trace', destination });
    const { client, count } = await testConnections({ log });

    for (const [op, d] of [
      [2, { token: 'wrong', secret: 'payload-secret' }],
      [2, { token: 'broken', secret: 'payload-secret' }],
      [6, { token: 'right', session_id: 'session-secret', seq: 'x' }],
    ] as const) {
      const opened = await client({ path: '/gateway?v=1&token=query-secret' });
      opened.send({ op, d });
      await opened.closed();
    }

    await expect.poll(count).toBe(0);
    const all = lines.map((line) => JSON.parse(line));
    expect(all.filter(({ msg }) => msg === 'connection ended')).toMatchObject([
      { connection: 1, close_code: 4004, by: 'server' },
      { connection: 2, close_code: 4000, by: 'server' },
      { connection: 3, close_code: 4002, by: 'server' },
    ]);
    expect(lines.join('')).not.toMatch(/-secret|"right"|"wrong"/);
  });
});
