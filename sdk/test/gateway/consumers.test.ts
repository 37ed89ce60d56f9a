import { describe, expect, expectTypeOf, it } from 'vitest';
import { WebSocket } from 'ws';
import { Gateway, type GatewayEvent } from '../../src/gateway/gateway.ts';
import type { GatewaySocketClass } from '../../src/gateway/socket.ts';
import type { components } from '../../src/generated/gateway.ts';
import { establish, establishListening, RESUME, reconnected, useGateways } from './support/open-gateway.ts';

const open = useGateways();
const PAUSABLE: GatewaySocketClass = WebSocket;

describe('the iterator', () => {
  it('is typed by the event’s name, and ends the session with its loop', async () => {
    const { server, gateway } = await open();
    const looped = (async () => {
      for await (const event of gateway) {
        expectTypeOf(event).toEqualTypeOf<GatewayEvent>();
        if (event.t === 'READY') expectTypeOf(event.d).toEqualTypeOf<components['schemas']['Ready']>();
        if (event.t === 'MESSAGE_CREATE') break;
      }
    })();
    const connection = await establishListening({ server });
    connection.event(2, 'MESSAGE_CREATE');
    await looped;
    expect(await connection.closed).toBe(1000);
    await gateway.closed;
  });

  it('is the only one, and there are no listeners beside it', async () => {
    const { gateway, events } = await open();
    expect(events).toBeDefined();
    expect(() => gateway[Symbol.asyncIterator]()).toThrow('use one iterator, or listeners');
    expect(() => gateway.on('READY', () => undefined)).toThrow('use one iterator, or listeners');
  });

  it('may end before it has thrown an error', async () => {
    const opened = await open();
    const connection = await establish(opened);
    connection.event(2, 'MESSAGE_CREATE');
    connection.close(4004);
    await expect(opened.gateway.closed).rejects.toThrow('4004');
    expect(await opened.events.return?.()).toEqual({ done: true, value: undefined });
  });

  it('throws the reason of an aborted signal, and drops the events that wait', async () => {
    const controller = new AbortController();
    const opened = await open({ signal: controller.signal });
    const connection = await establish(opened);
    connection.event(2, 'MESSAGE_CREATE');
    controller.abort(new Error('stop'));
    await expect(opened.events.next()).rejects.toThrow('stop');
    expect((await opened.events.next()).done).toBe(true);
    expect(await connection.closed).toBe(1000);
    const late = await open({ signal: controller.signal });
    await expect(late.events.next()).rejects.toThrow('stop');
    expect(late.server.connections.size).toBe(0);
  });
});

describe('listeners', () => {
  it('get the events of their name one after the other', async () => {
    const { server, gateway } = await open();
    const seen: string[] = [];
    const finished = Promise.withResolvers<void>();
    const remove = gateway.on('MESSAGE_CREATE', async ({ content }, { s }) => {
      seen.push(`${s} ${content}`);
      await Promise.resolve();
      seen.push(`${s} is done`);
    });
    gateway.on('MESSAGE_DELETE', () => remove());
    gateway.on('USER_UPDATE', () => finished.resolve());
    const connection = await establishListening({ server });
    connection.event(2, 'MESSAGE_CREATE', { content: 'one' });
    connection.event(3, 'MESSAGE_CREATE', { content: 'two' });
    connection.event(4, 'MESSAGE_DELETE');
    connection.event(5, 'MESSAGE_CREATE', { content: 'after its removal' });
    connection.event(6, 'USER_UPDATE');
    await finished.promise;
    expect(seen).toEqual(['2 one', '2 is done', '3 two', '3 is done']);
    await gateway.close();
    expect(await connection.closed).toBe(1000);
  });

  it('end the session by an error', async () => {
    const { server, gateway } = await open();
    gateway.on('READY', () => Promise.reject(new Error('a fault of the bot')));
    const closed = gateway.closed.catch((error: unknown) => error);
    const connection = await establishListening({ server });
    expect(await closed).toMatchObject({ message: 'a fault of the bot' });
    expect(await connection.closed).toBe(1000);
  });

  it('can close the Gateway, and wait for its end', async () => {
    const { server, gateway } = await open();
    gateway.on('READY', () => gateway.close());
    const connection = await establishListening({ server });
    await gateway.closed;
    expect(await connection.closed).toBe(1000);
  });

  it('let `closed` reject when the token is revoked', async () => {
    const { server, gateway } = await open();
    gateway.on('READY', () => undefined);
    const closed = gateway.closed.catch((error: unknown) => error);
    (await establishListening({ server })).close(4004);
    expect(await closed).toMatchObject({ name: 'GatewayClosedError', code: 4004 });
  });
});

describe('a slow consumer', () => {
  const EVENTS = 40;
  const sendAll = (send: (s: number) => void, from: number) => {
    for (let s = from; s <= EVENTS; s++) send(s);
  };

  it('stops a WebSocket that can pause, and the connection stays', async () => {
    const opened = await open({ maxQueuedEvents: 4, WebSocket: PAUSABLE }, 1_000);
    opened.server.acknowledges = true;
    const connection = await establish(opened);
    const content = 'x'.repeat(256 * 1024);
    sendAll((s) => connection.event(s, 'MESSAGE_CREATE', { content }), 2);
    // A paused client sends Heartbeats, and does not wait for acknowledgements that it cannot read.
    for (let beat = 0; beat < 2; beat++) expect((await connection.frames.next()).op).toBe(1);
    expect(connection.waitingBytes()).toBeGreaterThan(0);
    for (let s = 2; s <= EVENTS; s++) expect((await opened.events.next()).value).toMatchObject({ s });
    expect(opened.server.connections.size).toBe(0);
  });

  it('ends the connection elsewhere, and the session resumes where the queue ended, without a loss', async () => {
    const disconnects: string[] = [];
    const onDisconnect = ({ why }: { readonly why: string }) => disconnects.push(why);
    const opened = await open({ maxQueuedEvents: 4, onDisconnect });
    let connection = await establish(opened);
    const received: (number | undefined)[] = [];
    for (let last = 1; last < EVENTS; ) {
      sendAll((s) => connection.event(s, 'MESSAGE_CREATE'), last + 1);
      const isLast = last + 4 > EVENTS;
      if (!isLast) expect(await connection.closed).toBe(4000);
      const count = isLast ? EVENTS - last : 4;
      for (let taken = 0; taken < count; taken++) received.push((await opened.events.next()).value?.s);
      last += count;
      if (last === EVENTS) break;
      const next = await reconnected(opened);
      expect(next.frame).toMatchObject({ op: RESUME, d: { seq: last } });
      connection = next.connection;
    }
    expect(received).toEqual(Array.from({ length: EVENTS - 1 }, (_, index) => index + 2));
    expect(new Set(disconnects)).toEqual(new Set(['the events wait for their consumer']));
  });

  it('is one whose queue has too many characters too', async () => {
    const opened = await open({ maxQueuedCharacters: 1_000 });
    const connection = await establish(opened);
    connection.event(2, 'MESSAGE_CREATE', { content: 'x'.repeat(1_000) });
    connection.event(3, 'MESSAGE_CREATE');
    expect(await connection.closed).toBe(4000);
    expect((await opened.events.next()).value).toMatchObject({ s: 2 });
    expect((await reconnected(opened)).frame).toMatchObject({ op: RESUME, d: { seq: 2 } });
  });
});

describe('options', () => {
  it.each([
    [{}, 'one credential'],
    [{ bot: 'a', session: 'b' }, 'one credential'],
    [{ bot: 'a', maxQueuedEvents: 0 }, 'maxQueuedEvents is 0: it must be at least 1'],
    [{ bot: 'a', maxQueuedCharacters: Number.NaN }, 'maxQueuedCharacters is NaN'],
    [{ bot: 'a', maxAttempts: -1 }, 'maxAttempts is -1'],
  ])('%j are refused', (options, message) => {
    expect(() => new Gateway({ baseUrl: 'https://chat.example', ...options })).toThrow(message);
  });
});
