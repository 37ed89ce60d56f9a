import { describe, expect, it } from 'vitest';
import { GatewayClosedError, GatewayError, GatewayUnreachableError } from '../../src/gateway/gateway.ts';
import { CLOSE_CODES } from '../../src/generated/gateway.ts';
import { establish, FAST, IDENTIFY, RESUME, reconnected, useGateways } from './support/open-gateway.ts';
import { SILENT } from './support/scripted-gateway.ts';

const open = useGateways();

/** The close codes with this action. */
const codesTo = (action: string) =>
  [...CLOSE_CODES].flatMap(([code, row]) => (row.action === action ? [code] : []));

describe('a session', () => {
  it('identifies with its token, and its iterator has the events in order', async () => {
    const opened = await open({ shard: [0, 1] });
    const first = opened.events.next();
    const connection = await opened.server.connections.next();
    expect(new URL(connection.path, 'ws://server').searchParams.toString()).toBe('v=1&encoding=json');
    const d = { token: 'token', properties: {}, shard: [0, 1] };
    expect(await connection.frames.next()).toEqual({ op: IDENTIFY, d });
    connection.ready();
    for (const s of [2, 3]) connection.event(s, 'MESSAGE_CREATE', { id: String(s) });
    expect((await first).value).toMatchObject({ t: 'READY', s: 1 });
    expect((await opened.events.next()).value).toEqual({ t: 'MESSAGE_CREATE', s: 2, d: { id: '2' } });
    expect((await opened.events.next()).value).toEqual({ t: 'MESSAGE_CREATE', s: 3, d: { id: '3' } });
  });

  it.each([...codesTo('resume'), 3_000])('resumes after the close code %i', async (code) => {
    const opened = await open();
    const connection = await establish(opened);
    connection.event(2, 'MESSAGE_CREATE');
    await opened.events.next();
    connection.close(code);
    const { connection: next, frame } = await reconnected(opened);
    expect(next.path).toBe('/resume?v=1&encoding=json');
    expect(frame).toEqual({ op: RESUME, d: { token: 'token', session_id: 'one', seq: 2 } });
  });

  it.each(codesTo('stop'))('ends with an error after the close code %i', async (code) => {
    const opened = await open();
    const connection = await establish(opened);
    connection.event(2, 'MESSAGE_CREATE');
    connection.close(code);
    expect((await opened.events.next()).value).toMatchObject({ s: 2 });
    const failed = await opened.events.next().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(GatewayClosedError);
    expect(failed).toMatchObject({ code, name: 'GatewayClosedError' });
    await expect(opened.gateway.closed).rejects.toBe(failed);
    expect((await opened.events.next()).done).toBe(true);
  });

  it.each(codesTo('identify'))('identifies again after the close code %i', async (code) => {
    const opened = await open();
    (await establish(opened)).close(code);
    expect((await reconnected(opened)).frame.op).toBe(IDENTIFY);
  });

  it('resumes when the server stops, and leaves out events that it has', async () => {
    const opened = await open();
    const connection = await establish(opened);
    connection.event(2, 'MESSAGE_CREATE', 'two');
    connection.send(7, null);
    connection.event(3, 'MESSAGE_CREATE', 'sent to a closed connection');
    expect(await connection.closed).toBe(4000);
    const { connection: next, frame } = await reconnected(opened);
    expect(frame.d).toMatchObject({ session_id: 'one', seq: 2 });
    next.event(2, 'MESSAGE_CREATE', 'two');
    next.event(3, 'MESSAGE_CREATE', 'three');
    next.event(4, 'RESUMED', null);
    const received = [await opened.events.next(), await opened.events.next(), await opened.events.next()];
    expect(received.map(({ value }) => value?.d)).toEqual(['two', 'three', null]);
  });

  it('resumes after a gap, a malformed event, and text that is no frame', async () => {
    const opened = await open();
    let connection = await establish(opened);
    const faults = [
      () => connection.event(3, 'MESSAGE_CREATE'),
      () => connection.text('{"op":0,"d":{},"s":null,"t":"MESSAGE_CREATE"}'),
      () => connection.text('not JSON'),
      () => connection.text('[]'),
    ];
    for (const fault of faults) {
      fault();
      expect(await connection.closed).toBe(4000);
      const next = await reconnected(opened);
      expect(next.frame).toMatchObject({ op: RESUME, d: { seq: 1 } });
      connection = next.connection;
    }
  });

  it('identifies on the same connection when its Resume is refused, and once only', async () => {
    const opened = await open();
    (await establish(opened)).close(4000);
    const { connection } = await reconnected(opened);
    connection.send(9, false);
    expect((await connection.frames.next()).op).toBe(IDENTIFY);
    connection.send(9, false);
    expect(await connection.closed).toBe(4000);
    const next = await reconnected(opened);
    expect(next.frame.op).toBe(IDENTIFY);
    next.connection.ready('two');
    expect((await opened.events.next()).value).toMatchObject({ t: 'READY', s: 1, d: { session_id: 'two' } });
  });

  it('resumes again after Invalid session with true', async () => {
    const opened = await open();
    (await establish(opened)).send(9, true);
    expect((await reconnected(opened)).frame).toMatchObject({ op: RESUME, d: { seq: 1 } });
  });

  it('looks the Gateway up again if nobody answers where READY says', async () => {
    const opened = await open();
    const connection = await establish(opened);
    for (let next = connection, path = '/resume'; path === '/resume'; ) {
      next.close(1011);
      next = await opened.server.connections.next();
      path = new URL(next.path, 'ws://server').pathname;
      if (path === '/') expect((await next.frames.next()).op).toBe(RESUME);
    }
  });
});

describe('Heartbeats', () => {
  it('have the last s, and answer the server’s request', async () => {
    const opened = await open();
    const connection = await establish(opened);
    connection.send(1, null);
    expect(await connection.frames.next()).toEqual({ op: 1, d: 1 });
  });

  it('come in each interval, and keep an acknowledged connection', async () => {
    const opened = await open({}, 1_000);
    opened.server.acknowledges = true;
    const connection = await establish(opened);
    for (let beat = 0; beat < 3; beat++) expect(await connection.frames.next()).toEqual({ op: 1, d: 1 });
    expect(opened.server.connections.size).toBe(0);
  });

  it('without an acknowledgement replace the connection', async () => {
    const opened = await open({}, 1_000);
    await establish(opened);
    expect((await reconnected(opened)).frame).toMatchObject({ op: RESUME, d: { seq: 1 } });
  });
});

describe('without a Gateway', () => {
  it('the client looks again after an outage of the API', async () => {
    const opened = await open();
    opened.server.answers.push({ status: 503, body: '{}' }, { status: 200, body: '<html>' });
    opened.server.answers.push({ status: 429, body: '{}' }, { status: 200, body: '{"url":1}' });
    await establish(opened);
    expect(opened.server.answers).toEqual([]);
  });

  it('the client ends with an error at a wrong address', async () => {
    const { server, events } = await open();
    server.answers.push({ status: 404, body: '{}' });
    await expect(events.next()).rejects.toThrow(GatewayError);
    const other = await open({ gatewayUrl: 'https://chat.example/gateway' });
    await expect(other.events.next()).rejects.toThrow('https://chat.example/gateway is no ws or wss URL');
  });

  it('the client does not follow a redirect', async () => {
    const { server, events } = await open();
    server.answers.push({ status: 302, body: '' });
    await expect(events.next()).rejects.toThrow('status 302');
  });

  it('the client sends no token over an unencrypted connection if baseUrl is https', async () => {
    const fetch = async () => Response.json({ url: 'ws://chat.example/gateway' });
    const { events } = await open({ baseUrl: 'https://chat.example', fetch });
    await expect(events.next()).rejects.toThrow('ws://chat.example/gateway is no wss URL');
  });

  it('the client looks again at an address that was right', async () => {
    const opened = await open();
    const connection = await establish(opened);
    opened.server.answers.push({ status: 404, body: 'no server is up' });
    connection.close(4007);
    expect((await reconnected(opened)).frame.op).toBe(IDENTIFY);
    expect(opened.server.answers).toEqual([]);
  });

  it('the client gives up after maxAttempts', async () => {
    const disconnects: unknown[] = [];
    const opened = await open({ maxAttempts: 3, onDisconnect: (disconnect) => disconnects.push(disconnect) });
    const failed = opened.events.next().catch((error: unknown) => error);
    for (let attempt = 1; attempt <= 3; attempt++) (await opened.server.connections.next()).close(4000);
    expect(await failed).toBeInstanceOf(GatewayUnreachableError);
    expect(disconnects).toMatchObject([{ attempt: 1, why: 'closed with 4000' }, { attempt: 2 }]);
  });

  it('the client replaces a connection without Hello', async () => {
    const opened = await open({ timing: { ...FAST, connectWithinMs: 2_000 } }, SILENT);
    void opened.events.next();
    const connection = await opened.server.connections.next();
    expect(await connection.closed).toBe(4000);
    await opened.server.connections.next();
  });

  it('the client replaces a connection that does not answer', async () => {
    const opened = await open({ timing: { ...FAST, answerWithinMs: 20 } });
    void opened.events.next();
    const connection = await opened.server.connections.next();
    expect(await connection.closed).toBe(4000);
    await opened.server.connections.next();
  });
});
