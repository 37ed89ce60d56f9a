import { describe, expect, it } from 'vitest';
import { HEARTBEAT, IDENTIFY, testConnections } from './support/connections.ts';

const ACK = { op: 11, d: null, s: null, t: null };
const RESUME = { op: 6, d: { token: 'right', session_id: 'a', seq: 7 } };

describe('a connection', () => {
  it.each([0, 3, 4, 7, 8, 9, 10, 11, 12, 99, -1])('that begins with op %i gets 4003', async (op) => {
    const { client } = await testConnections();
    const opened = await client();

    opened.send({ op, d: null });

    expect(await opened.closed()).toBe(4003);
  });

  it.each([0, 3, 4, 7, 8, 9, 10, 11, 12, 99, -1])('with a session gets 4001 for op %i', async (op) => {
    const { session } = await testConnections();
    const opened = await session();

    opened.send({ op, d: null });

    expect(await opened.closed()).toBe(4001);
  });

  it('gets its events with their numbers, as text', async () => {
    const { client, handler } = await testConnections();
    const opened = await client();

    opened.send(IDENTIFY);

    expect(await opened.next()).toEqual({ op: 0, s: 1, t: 'READY', d: { v: 1 } });
    expect(handler.connected.size).toBe(1);
  });

  it('gets answers to Heartbeats before, during and after its Identify', async () => {
    const { client, session } = await testConnections();
    const slow = await client();

    // A client that is about to resume sends its session's sequence number.
    slow.send({ op: 1, d: 700 });
    expect(await slow.next()).toEqual(ACK);
    slow.send({ op: 2, d: { token: 'slow' } });
    slow.send(HEARTBEAT);
    expect(await slow.next()).toEqual(ACK);

    const opened = await session();
    opened.send({ op: 1, d: 1 });
    expect(await opened.next()).toEqual(ACK);
    opened.send({ op: 1 });
    expect(await opened.next()).toEqual(ACK);
  });

  it('with a sequence number that was never sent gets 4007', async () => {
    const { session } = await testConnections();
    const opened = await session();

    opened.send({ op: 1, d: 2 });

    expect(await opened.closed()).toBe(4007);
  });

  it('with an invalid token gets 4004', async () => {
    const { client, handler } = await testConnections();
    const opened = await client();

    opened.send({ op: 2, d: { token: 'wrong' } });

    expect(await opened.closed()).toBe(4004);
    await expect.poll(() => handler.ends).toEqual([undefined]);
  });

  it.each([
    ['Identify', IDENTIFY],
    ['Resume', RESUME],
  ])('gets 4005 for another %s', async (_what, request) => {
    const { client, session } = await testConnections();
    const slow = await client();
    const accepted = await session();

    slow.send({ op: 2, d: { token: 'slow' } });
    slow.send(request);
    accepted.send(request);

    expect(await slow.closed()).toBe(4005);
    expect(await accepted.closed()).toBe(4005);
  });

  it('may resume from the beginning with null', async () => {
    const { client } = await testConnections();
    const later = await client();
    const first = await client();

    later.send(RESUME);
    first.send({ op: 6, d: { ...RESUME.d, seq: null } });

    expect(await later.next()).toMatchObject({ t: 'RESUMED', s: 8 });
    expect(await first.next()).toMatchObject({ t: 'RESUMED', s: 1 });
  });

  it('may identify after Invalid session', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.send({ op: 6, d: { ...RESUME.d, session_id: 'over' } });
    expect(await opened.next()).toEqual({ op: 9, d: false, s: null, t: null });
    opened.send(IDENTIFY);

    expect(await opened.next()).toMatchObject({ t: 'READY' });
  });

  it('gets 4003 again after Invalid session', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.send({ op: 6, d: { ...RESUME.d, session_id: 'over' } });
    await opened.next();
    opened.send({ op: 8, d: {} });

    expect(await opened.closed()).toBe(4003);
  });

  it('gets 4000 when the request handler fails, and other clients stay connected', async () => {
    const { client, session } = await testConnections();
    const other = await session();
    const opened = await client();

    opened.send({ op: 2, d: { token: 'broken' } });

    expect(await opened.closed()).toBe(4000);
    other.send(HEARTBEAT);
    expect(await other.next()).toEqual(ACK);
  });
});

describe('the end of a connection', () => {
  it.each([1000, 1001, 4200])('is reported with the client’s close code: %i', async (code) => {
    const { session, handler, state } = await testConnections();
    const opened = await session();

    opened.close(code);

    expect(await opened.closed()).toBe(code);
    await expect.poll(() => handler.ends).toEqual([code]);
    expect(state().closed).toEqual(new Map([[code, 1]]));
  });

  it('is reported without a code when the client disconnects', async () => {
    const { session, handler } = await testConnections();
    const opened = await session();

    opened.socket.destroy();

    await expect.poll(() => handler.ends).toEqual([undefined]);
  });

  it('is reported without a code when the server closes it, even if the client echoes 1001', async () => {
    const { session, handler, drain } = await testConnections({ settings: { leave_within_ms: 10 } });
    const opened = await session();

    await drain(0);

    expect(await opened.closed()).toBe(1001);
    expect(handler.ends).toEqual([undefined]);
  });

  it('is not reported for a connection without an Identify or a Resume', async () => {
    const { client, handler, count } = await testConnections();
    const opened = await client();

    opened.close(1000);

    await expect.poll(count).toBe(0);
    expect(handler.ends).toEqual([]);
  });
});
