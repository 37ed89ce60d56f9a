import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SessionFollower } from '../../src/commands/tail/session-follower.ts';
import { ExitCode } from '../../src/failures.ts';
import { type GatewayEvent, Op } from '../../src/gateway-client/frames.ts';
import { type TestClient, type TestGateway, testGateway } from '../support/test-gateway.ts';

const TOKEN = 'gth_secret';
const TIMING = { hello_timeout_ms: 5_000, first_wait_ms: 2, longest_wait_ms: 10 };
const SESSION = { token: TOKEN, session_id: 'abc' };

let gateway: TestGateway;
let leave: AbortController;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  gateway = await testGateway();
  leave = new AbortController();
  closing.push(() => leave.abort(), gateway.close);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function start({ url = gateway.url, hello_timeout_ms = TIMING.hello_timeout_ms } = {}) {
  const events: GatewayEvent[] = [];
  const notes: string[] = [];
  const follower = new SessionFollower({
    ...{ url, token: TOKEN, signal: leave.signal, timing: { ...TIMING, hello_timeout_ms } },
    onEvent: (event) => events.push(event),
    note: (text) => notes.push(text),
  });
  const ended = follower.run();
  ended.catch(() => undefined); // tests that expect one look for it
  return { ended, notes, names: () => events.map(({ t }) => t), events };
}

/** Answers Identify with READY. */
async function identified(client: TestClient, resume_gateway_url?: string): Promise<TestClient> {
  expect(await client.take(Op.IDENTIFY)).toMatchObject({ token: TOKEN });
  const user = { username: 'ada', global_name: 'Ada' };
  client.dispatch('READY', { user, session_id: 'abc', resume_gateway_url });
  return client;
}

/** Answers Resume with RESUMED. */
async function resumed(client: TestClient, seq: number): Promise<void> {
  expect(await client.take(Op.RESUME)).toEqual({ ...SESSION, seq });
  client.dispatch('RESUMED');
}

describe('a connection', () => {
  test('requests version 1, identifies, passes events on, and ends the session on the signal', async () => {
    const tail = start();
    const client = await identified(await gateway.accept());
    expect(client.path).toBe('/gateway?v=1&encoding=json');
    client.dispatch('MESSAGE_CREATE', { content: 'hi' });
    await expect.poll(tail.names).toEqual(['READY', 'MESSAGE_CREATE']);
    expect(tail.events[1]).toEqual({ s: 2, t: 'MESSAGE_CREATE', d: { content: 'hi' } });
    leave.abort();
    await tail.ended;
    expect(await client.closed).toBe(1000);
    expect(tail.notes.join()).toContain('as Ada');
    expect(tail.notes.join()).not.toContain(TOKEN);
  });

  test('sends the last s in heartbeats: at every interval, and on request', async () => {
    start();
    const client = await gateway.accept({ heartbeat_interval: 1_000 });
    expect(await client.take(Op.HEARTBEAT)).toBe(null);
    client.send({ op: Op.HEARTBEAT_ACK });
    await identified(client);
    client.send({ op: Op.HEARTBEAT, d: null });
    expect(await client.take(Op.HEARTBEAT)).toBe(1);
  });

  test('is left and resumed when heartbeats are not acknowledged', async () => {
    const tail = start();
    const client = await identified(await gateway.accept({ heartbeat_interval: 1_000 }));
    await resumed(await gateway.accept(), 1);
    expect(await client.closed, 'the session is to live on').toBe(4000);
    expect(tail.notes.join('\n')).toContain('heartbeats were not answered. Resuming.');
  });
});

describe('a session is resumed', () => {
  const ends: Readonly<Record<string, (client: TestClient) => void>> = {
    'the server asks for it (op 7)': (client) => client.send({ op: Op.RECONNECT, d: null }),
    'the server stops': (client) => client.close(1001),
    'the connection breaks': (client) => client.terminate(),
    'an unknown error (4000)': (client) => client.close(4000),
    'it timed out (4009)': (client) => client.close(4009),
    'a frame is binary': (client) => client.sendRaw(Buffer.from('{"op":11}')),
    'a frame is no JSON': (client) => client.sendRaw('{"op":'),
    'a frame is a list': (client) => client.sendRaw('[]'),
    'an op is text': (client) => client.sendRaw('{"op":"0"}'),
    'an event has no number': (client) => client.sendRaw('{"op":0,"t":"MESSAGE_CREATE","d":{}}'),
  };

  test.each(Object.entries(ends))('after %s', async (_, end) => {
    const tail = start();
    end(await identified(await gateway.accept()));
    const next = await gateway.accept();
    await resumed(next, 1);
    next.dispatch('MESSAGE_CREATE');
    await expect.poll(tail.names).toEqual(['READY', 'RESUMED', 'MESSAGE_CREATE']);
    expect(tail.notes).toEqual([
      expect.stringContaining('Listening'),
      expect.stringMatching(/ended: .*\. Resuming\.$/),
      expect.stringContaining('Resumed'),
    ]);
  });

  test('at the address that READY names; at the first one if nothing answers there', async () => {
    const other = await testGateway();
    closing.push(other.close);
    start();
    (await identified(await gateway.accept(), other.url)).close(1001);
    const there = await other.accept();
    await resumed(there, 1);
    await other.close();
    await resumed(await gateway.accept(), 1);
    closing.pop();
  });

  test('on the same connection, after Invalid session with true', async () => {
    start();
    (await identified(await gateway.accept())).terminate();
    const client = await gateway.accept();
    await client.take(Op.RESUME);
    client.send({ op: Op.INVALID_SESSION, d: true });
    await resumed(client, 1);
  });

  test('and a new one begins on the same connection, after Invalid session with false', async () => {
    const tail = start();
    (await identified(await gateway.accept())).terminate();
    const client = await gateway.accept();
    await client.take(Op.RESUME);
    client.send({ op: Op.INVALID_SESSION, d: false });
    await identified(client);
    await expect.poll(tail.names).toEqual(['READY', 'READY']);
    expect(tail.notes.join('\n')).toContain('events until then are lost');
  });

  test('and a new one begins after 4007, which the same Resume would get again', async () => {
    start();
    (await identified(await gateway.accept())).terminate();
    const client = await gateway.accept();
    await client.take(Op.RESUME);
    client.close(4007);
    await identified(await gateway.accept());
  });
});

describe('the follower gives up', () => {
  test('when the token is wrong, and says what to do', async () => {
    const tail = start();
    const client = await gateway.accept();
    await client.take(Op.IDENTIFY);
    client.close(4004);
    await expect(tail.ended).rejects.toMatchObject({ exit_code: ExitCode.NEGATIVE });
    await expect(tail.ended).rejects.toThrow(/4004.*\n.*auth\/login/);
  });

  test('when the credential was revoked', async () => {
    const tail = start();
    (await identified(await gateway.accept())).close(4004);
    await expect(tail.ended).rejects.toMatchObject({ exit_code: ExitCode.NEGATIVE });
    await expect(tail.ended).rejects.toThrow(/revocation/);
  });

  test('when the Gateway speaks another version', async () => {
    const tail = start();
    (await gateway.accept()).close(4012);
    await expect(tail.ended).rejects.toMatchObject({ exit_code: ExitCode.UNANSWERED });
  });

  test('when nothing listens there', async () => {
    const { url } = gateway;
    await gateway.close();
    closing.pop();
    await expect(start({ url }).ended).rejects.toThrow(
      /^No Gateway answers at ws:.*: no WebSocket server answered\.\n/,
    );
  });

  test('when a server never sends Hello', async () => {
    await expect(start({ hello_timeout_ms: 50 }).ended).rejects.toThrow('it did not say Hello');
  });

  test('when a server accepts connections and sends nothing', async () => {
    const { url, close } = await silentServer();
    closing.push(close);
    await expect(start({ url, hello_timeout_ms: 50 }).ended).rejects.toThrow('it did not say Hello');
  });

  test('when the first frame is not Hello', async () => {
    const tail = start();
    for (let n = 0; n < 3; n++) (await gateway.acceptSilently()).sendRaw('{"op":11}');
    await expect(tail.ended).rejects.toThrow('its first frame is not Hello');
  });
});

test('it ends within a second or two while a server hangs', async () => {
  const { url, close } = await silentServer();
  closing.push(close);
  const tail = start({ url });
  leave.abort();
  await tail.ended;
});

async function silentServer(): Promise<{ url: string; close: () => void }> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `ws://127.0.0.1:${address.port}/`, close };
}
