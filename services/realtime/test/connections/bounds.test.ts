import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/connections/connection-settings.ts';
import { HEARTBEAT, IDENTIFY, testConnections } from './support/connections.ts';
import { frameBytes } from './support/raw-client.ts';

const TEXT = 1;
const PING = 9;
const PONG = 10;
const ACK = { op: 11, d: null, s: null, t: null };

function burst(count: number, opcode: number, payload: string): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => frameBytes(opcode, payload)));
}

describe('the rate of frames', () => {
  it.each([
    ['pings', PING, 'are you there'],
    ['pongs', PONG, ''],
    ['Heartbeats', TEXT, JSON.stringify(HEARTBEAT)],
  ])('of 121 %s in one packet is too high: 4008', async (_what, opcode, payload) => {
    const { client } = await testConnections();
    const opened = await client();

    opened.write(burst(121, opcode, payload));

    expect(await opened.closed()).toBe(4008);
    await opened.gone();
  });

  it.each([130, 200, 5_000])(
    'of %i frames in one packet ends with 4008 and not with a reset',
    async (count) => {
      const { client } = await testConnections();
      for (const [opcode, payload] of [
        [PING, ''],
        [TEXT, JSON.stringify(HEARTBEAT)],
      ] as const) {
        const opened = await client();
        opened.write(burst(count, opcode, payload));
        expect(await opened.closed()).toBe(4008);
      }
    },
  );

  it('may be 120 frames of all kinds, each of which is answered', async () => {
    const { client } = await testConnections();
    const opened = await client();

    opened.write(burst(80, PING, 'x'));
    opened.write(burst(40, TEXT, JSON.stringify(HEARTBEAT)));

    for (let count = 0; count < 80; count++)
      expect(await opened.nextControl()).toEqual({ opcode: PONG, payload: Buffer.from('x') });
    for (let count = 0; count < 40; count++) expect(await opened.next()).toEqual(ACK);
    opened.sendFrame(PING);
    expect(await opened.closed()).toBe(4008);
  });

  it('applies to a sliding window', async () => {
    const { client } = await testConnections({ settings: { max_frames: 2, frames_window_ms: 50 } });
    const opened = await client();

    for (let count = 0; count < 6; count++) {
      const sent = performance.now();
      opened.send(HEARTBEAT);
      await opened.next();
      await expect.poll(() => performance.now() - sent, { interval: 5 }).toBeGreaterThan(40);
    }
    opened.write(burst(3, TEXT, JSON.stringify(HEARTBEAT)));

    expect(await opened.closed()).toBe(4008);
  });
});

describe('the close of a connection', () => {
  it('reaches a client that continues to send', async () => {
    const { client, count } = await testConnections({ settings: { close_within_ms: 200 } });
    const opened = await client({ is_rude: true });

    opened.sendText('no frame');
    const sending = setInterval(() => opened.write(burst(50, TEXT, 'x'.repeat(1_000))), 5);

    expect(await opened.closed()).toBe(4002);
    await opened.gone();
    clearInterval(sending);
    await expect.poll(count).toBe(0);
  });

  it('has a timeout for a client that does not answer', async () => {
    const { client, count } = await testConnections({ settings: { close_within_ms: 100 } });
    const opened = await client({ is_rude: true });

    opened.send({ op: 3 });

    expect(await opened.closed()).toBe(4003);
    await opened.gone();
    await expect.poll(count).toBe(0);
  });

  it('has a timeout for a client that closes and keeps its socket open', async () => {
    const { session, handler, count } = await testConnections({ settings: { close_within_ms: 100 } });
    const opened = await session({ is_rude: true });

    opened.close(1000);

    await opened.gone();
    await expect.poll(count).toBe(0);
    expect(handler.ends).toEqual([1000]);
  });
});

it('has the documented limits by default', () => {
  expect(DEFAULT_SETTINGS).toMatchObject({
    heartbeat_interval_ms: 41_250,
    identify_within_ms: 45_000,
    max_frames: 120,
    frames_window_ms: 60_000,
    max_waiting_bytes_each: 1_048_576,
  });
});

describe('a connection is closed with 4009', () => {
  it('without an Identify in time', async () => {
    const { client } = await testConnections({ settings: { identify_within_ms: 100 } });
    const silent = await client();
    const beating = await client();

    const beats = setInterval(() => beating.send(HEARTBEAT), 30);

    expect(await silent.closed()).toBe(4009);
    expect(await beating.closed()).toBe(4009);
    clearInterval(beats);
  });

  it('without a Heartbeat in time, and not with one', async () => {
    const { session, client } = await testConnections({ settings: { heartbeat_interval_ms: 1_500 } });
    const silent = await session();
    const beating = await session();
    const waiting = await client();
    waiting.send({ op: 2, d: { token: 'slow' } });

    const beats = setInterval(() => beating.send(HEARTBEAT), 50);

    expect(await silent.closed()).toBe(4009);
    expect(await waiting.closed()).toBe(4009);
    expect(await beating.next()).toEqual(ACK);
    expect(beating.socket.destroyed).toBe(false);
    clearInterval(beats);
    expect(await beating.closed()).toBe(4009);
  });

  it('while a frame arrives byte by byte for too long', async () => {
    const { client } = await testConnections({ settings: { heartbeat_interval_ms: 200 } });
    const opened = await client();
    const bytes = frameBytes(TEXT, ' '.repeat(4_000));

    let sent = 0;
    const sending = setInterval(() => opened.write(bytes.subarray(sent, ++sent)), 10);

    expect(await opened.closed()).toBe(4009);
    clearInterval(sending);
  });

  it('while a fragmented frame arrives without end', async () => {
    const { client } = await testConnections({ settings: { heartbeat_interval_ms: 200 } });
    const opened = await client();

    opened.sendFrame(TEXT, '{', { fin: false });
    const sending = setInterval(() => opened.sendFrame(0, ' ', { fin: false }), 10);

    expect(await opened.closed()).toBe(4009);
    clearInterval(sending);
  });

  it('only after another timeout from Invalid session', async () => {
    const identify_within_ms = 2_000;
    const { client } = await testConnections({ settings: { identify_within_ms } });
    const opened = await client();
    const began = performance.now();
    await expect.poll(() => performance.now() - began).toBeGreaterThan(identify_within_ms / 2);

    opened.send({ op: 6, d: { token: 'right', session_id: 'over', seq: 1 } });
    await opened.next();
    const invalid = performance.now();

    expect(await opened.closed()).toBe(4009);
    expect(performance.now() - invalid).toBeGreaterThan(identify_within_ms * 0.9);
  });

  it('eventually, however many times it gets Invalid session', async () => {
    const { client } = await testConnections({ settings: { identify_within_ms: 300, max_frames: 1_000 } });
    const opened = await client();
    const resumes = setInterval(
      () => opened.send({ op: 6, d: { token: 'right', session_id: 'over', seq: 1 } }),
      50,
    );
    expect(await opened.closed()).toBe(4009);
    clearInterval(resumes);
  });

  it('not while its Identify is pending', async () => {
    const { client } = await testConnections({ settings: { identify_within_ms: 1_000 } });
    const waiting = await client();
    waiting.send({ op: 2, d: { token: 'slow' } });
    const silent = await client();

    expect(await silent.closed()).toBe(4009);
    waiting.send(IDENTIFY);
    expect(await waiting.closed()).toBe(4005);
  });
});
